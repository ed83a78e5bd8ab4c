"""Language models as judges: prompts, requests to a server, and the replies, which are kept."""
