"""What the engine says of any game, of records and of JSON."""

from __future__ import annotations

from typing import Final

WORDS: Final = {"yellow": "Yellow", "red": "Red", "and": "and", "or": "or"}

SENTENCES: Final = {
    # games and positions
    "unknown_game": "there is no game {key:quoted}; known are {games}",
    "position_written_otherwise": "{text:quoted} would be written {written:quoted}",
    "position_impossible": "{fault}, in {text:quoted}",
    "no_move_begins_so": "no legal move begins with {prefix:quoted}",
    "match_over": "the match is over",
    # how the match stands
    "standing": "{stage:capital}. Yellow {yellow}, Red {red}.",
    "standing_over": "{stage:capital}. Yellow {yellow}, Red {red}. The match is over.",
    "standing_side": "{stage:capital}. Yellow {yellow}, Red {red}. {side:word} is to play.",
    "standing_roll": "{stage:capital}. Yellow {yellow}, Red {red}. A roll comes next.",
    # matches of several points
    "series_position_form": (
        "a position is one line: the score, and what is played for the point; this is {text:quoted}"
    ),
    "series_score_impossible": "no match comes to this score and this point: {text:quoted}",
    "coin_first": "the coin comes first",
    "coin_not_now": "no coin is to be tossed now",
    "stage_match_over": "match over",
    "stage_coin": "coin",
    "stage_point": "point {number}, {stage}",
    "task_match_over": "The match is over.",
    "task_coin": "A coin decides who begins.",
    "coin_falls": "The coin falls: {side:word} begins.",
    # records
    "on_line": "line {line}: {fault}",
    "tag_form": 'a tag is written [Name "value"]',
    "tag_name": "{name:quoted} cannot be the name of a tag",
    "tag_value": "the value of the tag {name:quoted} holds characters that cannot be printed",
    "tag_late_or_twice": "the tag {name:quoted} comes too late or twice",
    "tag_contradicted": "the tag {name} says {told:quoted}, but by what was played it is {played}",
    "dice_unused": "nothing may follow dice that nobody has used",
    "move_line_form": "a move is a side, its dice in parentheses, and a move",
    "move_text": "{text:quoted} cannot be a move's text",
    "record_form": "a record is an object with the members tags and moves",
    "record_tags_form": "the tags of a record are an object of strings",
    "record_moves_form": "the moves of a record are a list",
    "move_form": "a move is an object with the members actor and text",
    "move_actor": "an actor is {actors}",
    "move_text_form": "its text is a string",
    "in_move": "move {number}: {fault}",
    "actor_not_to_act": "move {number} is {actor}'s, but {turn} is to act",
    "nobody_to_act": "move {number} is {actor}'s, but nobody is to act",
    # JSON
    "json_syntax": "This is no JSON from line {line}, column {column} on.",
    "json_too_deep": "The JSON is nested too deeply.",
    "json_number_too_large": "The JSON holds a number that is too large: {number}.",
    "json_number_too_long": "The JSON holds a number of more than {characters:character|characters}.",
    "json_not_a_number": "The JSON holds {name}, which is not a number.",
    "json_key_twice": "The JSON holds an object with the key {key:quoted} twice.",
    "json_half_character": "The JSON holds half of a surrogate pair.",
}
