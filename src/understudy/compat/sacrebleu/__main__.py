"""`python -m understudy.compat.sacrebleu` is the command `understudy sacrebleu`."""

from understudy.compat.sacrebleu.sacrebleu import main

if __name__ == "__main__":
    main()
