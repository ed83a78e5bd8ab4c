"""Other programs' interfaces on understudy's metrics: change the import, keep the code and the digits."""
