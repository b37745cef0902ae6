"""Sentences about any game, of records and of JSON."""

from typing import Final

WORDS: Final = {"yellow": "Yellow", "red": "Red", "and": "and", "or": "or"}

SENTENCES: Final = {
    # games and positions
    "unknown_game": "there is no game {key:quoted}; the games are {games}",
    "position_written_otherwise": "{text:quoted} should be written {written:quoted}",
    "position_impossible": "no match can reach the position {text:quoted}: {fault}",
    "no_move_begins_so": "no legal move begins with {prefix:quoted}",
    "match_over": "the match is over",
    "step_pass": "Pass",
    # what is on a space
    "space_ball": "ball",
    "space_empty": "empty",
    "space_figure_ball": "{figure}, ball",
    "ball_on": "The ball is on {space}.",
    # how the match stands
    "stage_full_time": "full time",
    "standing": "{stage:capital}. Yellow {yellow}, Red {red}.",
    "standing_over": "{stage:capital}. Yellow {yellow}, Red {red}. The match is over.",
    "standing_side": "{stage:capital}. Yellow {yellow}, Red {red}. It is {side:word}'s turn.",
    "standing_roll": "{stage:capital}. Yellow {yellow}, Red {red}. A roll comes next.",
    # matches of several points
    "series_position_form": "a position is one line, the score and the point that is played; this is {text:quoted}",
    "series_score_impossible": "no match can have this score at this point: {text:quoted}",
    "coin_first": "the coin must be tossed first",
    "coin_not_now": "there is no coin to toss now",
    "stage_match_over": "match over",
    "stage_coin": "coin toss",
    "stage_point": "point {number}, {stage}",
    "task_match_over": "The match is over.",
    "task_coin": "A coin decides who begins.",
    "coin_falls": "The coin decides: {side:word} begins.",
    # records
    "on_line": "line {line}: {fault}",
    "tag_form": 'a tag is written [Name "value"]',
    "tag_name": "{name:quoted} cannot be the name of a tag",
    "tag_value": "the value of the tag {name:quoted} has characters that cannot be printed",
    "tag_late_or_twice": "the tag {name:quoted} comes after a move, or a second time",
    "tag_contradicted": "the tag {name} says {told:quoted}, but the moves give {played}",
    "comments_left_out": "{number:comment|comments} left out",
    "signs_left_out": "{number:sign|signs} of judgement left out",
    "variations_left_out": "{number:variation|variations} left out",
    "note_open": "what {sign:quoted} begins has no end",
    "match_missing": "the text has {matches:match|matches}",
    "dice_unused": "nothing may follow dice that no move has used",
    "move_line_form": "a line is a side, its dice in parentheses, and its move, such as yellow (3) c3-c5",
    "move_text": "{text:quoted} cannot be a move's text",
    "record_form": "a record must be an object with the members tags and moves",
    "record_tags_form": "a record's tags must be an object of strings",
    "record_moves_form": "a record's moves must be a list",
    "move_form": "a move must be an object with the members actor and text",
    "move_actor": "an actor must be {actors:or}",
    "move_text_form": "a move's text must be a string",
    "in_move": "move {number}: {fault}",
    "actor_not_to_act": "move {number} is {actor}'s, but it is {turn}'s turn",
    "nobody_to_act": "move {number} is {actor}'s, but the match is over",
    # JSON
    "json_syntax": "This is not valid JSON: see line {line}, column {column}.",
    "json_too_deep": "The JSON is nested too deeply.",
    "json_number_too_large": "The JSON has a number that is too large: {number}.",
    "json_number_too_long": "The JSON has a number of more than {characters:character|characters}.",
    "json_not_a_number": "The JSON has {name}, which is not a number.",
    "json_key_twice": "The JSON has an object with the key {key:quoted} twice.",
    "json_half_character": "The JSON has half of a surrogate pair.",
}
