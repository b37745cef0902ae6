"""What the engine says of Paper Soccer."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "north": "north",
    "north-east": "north-east",
    "east": "east",
    "south-east": "south-east",
    "south": "south",
    "south-west": "south-west",
    "west": "west",
    "north-west": "north-west",
}

SENTENCES: Final = {
    # what is to be done
    "stage_turn": "turn {number}",
    "stage_point_over": "point over",
    "task_point_over": "The point is over.",
    "task_bounce": "The ball bounces: draw another line.",
    "task_draw": "Draw a line from the ball to a neighbouring point.",
    # why a step is refused
    "line_drawn": "the line from {start} to {end} has been drawn already",
    "own_goal_barred": "{end} is in your own goal, where you may not play here",
    "turn_over": "after {turn} your turn is over: the ball has not been on {point} before",
    "point_over_goal": "the ball is in the goal, and the point is over",
    "point_over_stuck": "the ball cannot go on, and the point is over",
    "off_the_field": "{direction:word} of {start} is off the field",
    "past_the_posts": "{end} is not reached from {start}: past the posts no line may be drawn",
    "along_the_wall": "from {start} to {end} there is a wall, along which no line may be drawn",
    # why a text cannot be read
    "steps_form": "{text:quoted} is not written like steps of Paper Soccer: such as 0 or 02217",
    "point_form": "a point is who began, and its turns; this is {text:quoted}",
    "turns_unplayable": "these turns cannot be played: {fault}, in {text:quoted}",
    "in_game": "game {game}: {fault}",
    "in_game_turn": "game {game}, turn {turn}: {fault}",
    "other_game": "this is a match of {found:quoted}, not of {wanted:quoted}",
    "tag_twice": "the tag {name:quoted} comes twice",
    "text_part_unknown": "{text:quoted} is neither a tag nor a turn nor a result",
    "game_unfinished": "another follows, but this one has not ended",
    "match_over_before": "the match is over before it",
    "point_over_before": "the point is over before turn {turn}",
    "turn_not_over": "the turn before it was not over, for the ball had bounced",
    "first_unreadable": "the tag First says {told:quoted}, not which side begins",
    "first_contradicted": "the tag First says {told}, but {side} is to begin",
    # what is odd about a text
    "results_differ": "the result after the turns is {result}, but the tag Result says {tag}",
    "result_contradicted": "the result is given as {result}, but by the turns it is {played}",
    "winner_contradicted": "the result is {result}, but the tag Winner says {winner:quoted}",
    # the field in words
    "ball_after_lines": "The ball is on {ball}. {lines:line has|lines have} been drawn.",
    "ways_on": "From there a line can go to {points:and}.",
    "point_goal": "{point} (goal)",
    "point_bounces": "{point} (bounces)",
    "draws": "{side:word} draws from {start} to {end}.",
    "draws_by": "{side:word} draws from {start} by {points:and} to {end}.",
    "draws_to_goal": "{turn} Goal for {winner:word}.",
    "draws_stuck": "{turn} {side:word} cannot draw on: the point is {winner:word}'s.",
}
