"""The Korean language pack: particles, numbers, dates, and the writing of requests and answers."""

from edge.llm.offline.ko import hearing
from edge.llm.offline.ko.answer import write_answer
from edge.llm.offline.ko.dates import (
    format_date,
    format_time,
    parse_date,
    parse_time,
    relative_day,
    relative_month,
    relative_year,
)
from edge.llm.offline.ko.labels import names_moment
from edge.llm.offline.ko.no_call import no_call
from edge.llm.offline.ko.numbers import measured
from edge.llm.offline.ko.outline import outline
from edge.llm.offline.ko.personas import people
from edge.llm.offline.ko.request import write_request
from edge.llm.offline.ko.soundness import askworthy, countable, odd
from edge.llm.offline.packs import Pack

PACK = Pack(
    date=format_date,
    time=format_time,
    read_date=parse_date,
    read_time=parse_time,
    measure=measured,
    request=write_request,
    outline=outline,
    answer=write_answer,
    no_call=no_call,
    people=people,
    names_moment=names_moment,
    asked=hearing.asked,
    criteria=hearing.CRITERIA,
    branching=hearing.BRANCHING,
    comparing=hearing.COMPARING,
    requesting=hearing.REQUESTING,
    relative=hearing.RELATIVE,
    near={"month": relative_month, "date": relative_day, "year": relative_year},
    odd=odd,
    countable=countable,
    askworthy=askworthy,
)
