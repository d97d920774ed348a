"""The English language pack: small, plain sentences."""

from edge.llm.offline.en import words
from edge.llm.offline.en.no_call import no_call
from edge.llm.offline.en.writer import outline, write_answer, write_request
from edge.llm.offline.packs import Pack
from edge.llm.offline.plain import anything, nothing_odd

PACK = Pack(
    date=words.date_of,
    time=words.time_of,
    read_date=words.read_date,
    read_time=words.read_time,
    measure=words.measure,
    request=write_request,
    outline=outline,
    answer=write_answer,
    no_call=no_call,
    people=words.people,
    names_moment=words.names_moment,
    asked=words.asked,
    criteria=words.CRITERIA,
    branching=words.BRANCHING,
    comparing=words.COMPARING,
    requesting=words.REQUESTING,
    relative=words.RELATIVE,
    near={"month": words.near_month, "date": words.near_day, "year": words.near_year},
    odd=nothing_odd,
    countable=anything,
    askworthy=anything,
)
