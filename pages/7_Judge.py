"""Are the answers right, whatever the scorer says?"""

import streamlit as st

from pages.ui import agreeing, judging, verdicts
from pages.ui.frame import frame

run = frame("Judge", "How many answers are right, and does the score agree with you?")
assert run is not None

desk = judging.desk(run)
with st.container(key="wm_page"):
    item, told = st.columns([7, 5], gap="large")
    with item:
        judging.item(desk)
    with told:
        verdicts.share(desk)
        judging.exchange(desk)
verdicts.agreement_with(desk)
agreeing.by_setting(desk)
verdicts.reliability_of(desk)
verdicts.references_of(desk)
