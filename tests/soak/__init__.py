"""Long fault trials: processes killed with -9 at random points, then the same command again.

    make soak ARGS="--trials 100 --seed 1"

After each trial the graph must be what one undisturbed run leaves: the same documents, the same
evidence with the same ids, nothing twice, nothing half.
"""
