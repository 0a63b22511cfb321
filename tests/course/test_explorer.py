"""The write explorer as text."""

from lesson_code.course.explorer import explorer
from lesson_code.lab.disk import Death
from lesson_code.lab.power import power_cut
from tests.lab.saves import NEW, OLD, deaths, save_delete_first


def test_each_death_is_a_line_with_the_bytes_and_what_is_read() -> None:
    head, *lines = explorer(deaths()).splitlines()
    assert head.split()[-4:] == ["el", "proceso", "siguiente", "lee"]
    assert len(lines) == len(deaths())
    assert lines[0].split() == ["open", str(len(deaths()[0].files["checkpoint.json"])), "0", "el", "viejo"]
    assert [line[:16] for line in lines[1:5]] == [f"write, trozo {n}  " for n in (1, 2, 3, 4)]
    assert lines[-1].startswith("fsync de la carpeta ") and lines[-1].endswith("–  el nuevo")


def test_a_broken_file_says_why_and_a_missing_one_has_no_bytes() -> None:
    broken = Death(("close", "checkpoint.json", ""), {"checkpoint.json": b"{"}, "broken", "se corta")
    assert explorer([broken]).endswith("1         –  roto: se corta")
    assert explorer(deaths(save_delete_first)[:1]).endswith("–         –  ninguno")


def test_with_power_cuts_it_lists_what_may_be_read() -> None:
    lines = explorer(deaths(), power_cut(deaths(), old=OLD, new=NEW)).splitlines()
    assert lines[0].endswith("después de un corte de corriente puede leerse")
    assert lines[-2].endswith("el viejo · o el nuevo")
