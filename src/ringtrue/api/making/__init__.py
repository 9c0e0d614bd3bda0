"""Cases and conversations that a model makes: what it is asked, and what of its replies is kept."""
