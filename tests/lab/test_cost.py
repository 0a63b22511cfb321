"""What a crash costs: the formula, and many tasks tried turn by turn."""

import pytest

from lesson_code.lab.cost import Estimate, expected_turns, expected_turns_resuming, simulate


def agrees(estimate: Estimate, expected: float, errors: float = 3) -> bool:
    """Whether `expected` is within `errors` standard errors of the mean."""
    return abs(estimate.mean - expected) <= errors * estimate.error


@pytest.mark.parametrize("p, from_scratch, resuming", [(0.02, 62, 41), (0.05, 136, 42)])
def test_the_figures_that_the_lesson_quotes_for_forty_turns(p: float, from_scratch: int, resuming: int) -> None:
    assert round(expected_turns(40, p)) == from_scratch
    assert round(expected_turns_resuming(40, p)) == resuming


@pytest.mark.parametrize("p", [0.001, 0.02, 0.3, 0.9])
def test_the_formula_is_the_recurrence_it_comes_from(p: float) -> None:
    """To get n in a row: get n-1, run one more, and with probability p begin again."""
    expected = 0.0
    for turns in range(1, 41):
        expected = (expected + 1) / (1 - p)
        assert expected_turns(turns, p) == pytest.approx(expected)


def test_without_crashes_every_turn_runs_once() -> None:
    assert expected_turns(40, 0) == expected_turns_resuming(40, 0) == 40
    assert simulate(40, 0, tasks=10) == Estimate(40, 0)


def test_a_crash_so_rare_that_the_powers_round_to_one_is_still_counted() -> None:
    assert expected_turns(40, 1e-15) == pytest.approx(40)


def test_in_a_task_of_one_turn_resuming_saves_nothing() -> None:
    assert expected_turns(1, 0.2) == pytest.approx(expected_turns_resuming(1, 0.2))


def test_what_is_beyond_every_number_is_infinite() -> None:
    assert expected_turns(10_000, 0.5) == float("inf")


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("p", [0.01, 0.02, 0.05])
def test_the_simulation_agrees_with_the_formula_within_its_error(p: float, resume: bool) -> None:
    expected = (expected_turns_resuming if resume else expected_turns)(40, p)
    estimate = simulate(40, p, resume=resume, seed=7)
    assert agrees(estimate, expected)
    assert 0 < estimate.error < expected / 20


def test_the_check_can_tell_a_wrong_formula() -> None:
    """Seen going red: the cost of resuming is not the cost of starting over."""
    assert not agrees(simulate(40, 0.02), expected_turns_resuming(40, 0.02))


def test_the_error_is_the_one_it_claims() -> None:
    """Of a hundred simulations, about five are more than two errors away, and none four."""
    expected = expected_turns(40, 0.02)
    estimates = [simulate(40, 0.02, tasks=400, seed=seed) for seed in range(100)]
    assert 1 <= sum(not agrees(estimate, expected, 2) for estimate in estimates) <= 12
    assert all(agrees(estimate, expected, 4.5) for estimate in estimates)


def test_the_same_seed_gives_the_same_estimate_and_another_seed_another() -> None:
    assert simulate(40, 0.02, seed=3) == simulate(40, 0.02, seed=3) != simulate(40, 0.02, seed=4)


@pytest.mark.parametrize("turns, p", [(0, 0.1), (-1, 0.1), (40, -0.1), (40, 1), (40, 1.5)])
def test_what_makes_no_sense_is_refused(turns: int, p: float) -> None:
    for ask in (expected_turns, expected_turns_resuming, simulate):
        with pytest.raises(ValueError, match="Hace falta al menos un turno"):
            ask(turns, p)


@pytest.mark.parametrize("turns, p", [(40, 0.5), (10_000, 0.5)])
def test_a_simulation_that_would_not_end_is_refused(turns: int, p: float) -> None:
    with pytest.raises(ValueError, match="no terminaría hoy"):
        simulate(turns, p)
