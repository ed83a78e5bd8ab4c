"""The verb `judge`: human evaluation, from the campaign to the results."""
