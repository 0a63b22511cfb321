"""How the widgets look: every colour with the one that it is read against, and the one style sheet."""

# Text and ground. They are fixed, so that a label is read in the light and in the dark theme alike.
LABELS = {
    "same": ("#ffffff", "#4a5560"),
    "changed": ("#ffffff", "#a33b00"),
    "arrived": ("#ffffff", "#00614a"),
    "lost": ("#ffffff", "#8a1c4a"),
    "chosen": ("#ffffff", "#005a9c"),
}
"""What a label can mean: `same` or `changed` since the moment before, `arrived` or `lost`, `chosen` by the reader."""

TEXT = "var(--jp-content-font-color1, #1a1a1a)"
GROUND = "var(--jp-layout-color1, #ffffff)"
RAISED = "var(--jp-layout-color2, #f2f2f2)"
LINE = "var(--jp-border-color1, #bdbdbd)"
CODE = "var(--jp-code-font-family, monospace)"

SIZE = "15px"  # what is read from the last row of a classroom, and 24 px for what is clicked
TARGET = "26px"


def contrast(text: str, ground: str) -> float:
    """How much two colours (`#rrggbb`) differ, from 1 to 21, as WCAG 2 reckons it."""
    lighter, darker = sorted((_luminance(text), _luminance(ground)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


_LABELS = "\n".join(
    f".curso .curso-{name} {{ color: {text}; background: {ground}; }}" for name, (text, ground) in LABELS.items()
)

STYLE = f"""<style>
.curso {{
  border: 1px solid {LINE}; border-radius: 6px; padding: 10px 14px; margin: 6px 2px;
  max-width: 960px; overflow: visible;
}}
.curso, .curso .widget-html-content, .curso label {{ color: {TEXT}; font-size: {SIZE}; line-height: 1.5; }}
.curso .widget-html, .curso .widget-html-content {{
  height: auto; min-height: 0; width: auto; overflow: visible;
}}
.curso .widget-radio, .curso .widget-checkbox {{ width: auto; height: auto; }}
.curso .widget-radio-box label {{
  height: auto; min-height: {TARGET}; line-height: 1.4; padding: 3px 0; white-space: normal;
  width: auto; max-width: 860px;
}}
.curso .widget-radio-box input, .curso .widget-checkbox input {{
  min-width: 18px; min-height: 18px; margin: 0 8px 0 2px; vertical-align: middle;
}}
.curso .jupyter-button {{
  align-self: flex-start; width: auto; height: auto; min-height: 32px; font-size: {SIZE};
  padding: 4px 14px; line-height: 1.4; color: {TEXT}; background: {RAISED}; border: 1px solid {LINE};
}}
.curso :focus-visible {{ outline: 3px solid #0072b2 !important; outline-offset: 2px; }}
.curso table {{ border-collapse: collapse; margin: 8px 0; }}
.curso caption {{ caption-side: top; text-align: left; font-weight: 600; padding: 4px 0; color: {TEXT}; }}
.curso th, .curso td {{
  border: 1px solid {LINE}; padding: 5px 9px; text-align: left; vertical-align: top; color: {TEXT};
  background: {GROUND}; white-space: normal;
}}
.curso th {{ background: {RAISED}; }}
.curso th code {{ white-space: nowrap; }}
.curso .widget-hbox {{ flex-wrap: wrap; gap: 0 40px; overflow: visible; }}
.curso .widget-vbox {{ overflow: visible; }}
.curso code, .curso pre {{ font-family: {CODE}; font-size: 13.5px; color: {TEXT}; background: {RAISED}; }}
.curso code {{ padding: 0 3px; border-radius: 3px; overflow-wrap: anywhere; }}
.curso pre {{
  padding: 8px; white-space: pre-wrap; overflow-wrap: anywhere; word-break: normal; line-height: 1.4;
}}
.curso summary {{ cursor: pointer; min-height: {TARGET}; }}
.curso .curso-label {{
  display: inline-block; border-radius: 4px; padding: 1px 7px; font-size: 13px; font-weight: 600;
  white-space: nowrap;
}}
.curso .curso-question {{ font-weight: 600; margin: 2px 0 4px; }}
{_LABELS}</style>"""
