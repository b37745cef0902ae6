"""Sentences about Paper Soccer."""

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
    "line_drawn": "there is already a line from {start} to {end}",
    "own_goal_barred": "{end} is in your own goal, where you may not play here",
    "turn_over": "your turn is over after {turn}: the ball does not bounce on {point}",
    "point_over_goal": "the ball is in the goal, so the point is over",
    "point_over_stuck": "the ball is stuck, so the point is over",
    "off_the_field": "there is no point {direction:word} of {start}: that is off the field",
    "past_the_posts": "no line may be drawn past the posts, from {start} to {end}",
    "along_the_wall": "no line may be drawn along the wall, from {start} to {end}",
    # why a text cannot be read
    "steps_form": "{text:quoted} is not written like steps of Paper Soccer, such as 0 or 02217",
    "point_form": "a point is written as who began and its turns; this is {text:quoted}",
    "turns_unplayable": "these turns cannot be played: {fault}, in {text:quoted}",
    "in_game": "game {game}: {fault}",
    "in_game_turn": "game {game}, turn {turn}: {fault}",
    "other_game": "this is a match of {found:quoted}, not of {wanted:quoted}",
    "tag_twice": "the tag {name:quoted} is given twice",
    "text_part_unknown": "{text:quoted} is not a tag, a turn or a result",
    "game_unfinished": "this game has not ended, but another follows",
    "match_over_before": "the match is already over",
    "point_over_before": "the point is already over before turn {turn}",
    "turn_not_over": "the turn before it is not finished, because the ball bounced",
    "first_unreadable": "the tag First must say which side begins, but it says {told:quoted}",
    "first_contradicted": "the tag First says {told}, but {side} begins",
    # what is odd about a text
    "results_differ": "the result after the turns is {result}, but the tag Result says {tag}",
    "result_contradicted": "the result is given as {result}, but the turns give {played}",
    "winner_contradicted": "the result is {result}, but the tag Winner says {winner:quoted}",
    # what is on a point
    "point_free": "free",
    "point_bouncing": "bounces",
    "point_wall": "wall, bounces",
    "goal_yellow": "Yellow’s goal",
    "goal_red": "Red’s goal",
    "point_ball": "ball, {point}",
    # the field in words
    "ball_after_lines": "The ball is on {ball}. {lines:line has|lines have} been drawn.",
    "ways_on": "The next line can go to {points:or}.",
    "point_goal": "{point} (goal)",
    "point_bounces": "{point} (bounces)",
    "draws": "{side:word} draws from {start} to {end}.",
    "draws_by": "{side:word} draws from {start} via {points:and} to {end}.",
    "draws_to_goal": "{turn} Goal for {winner:word}.",
    "draws_stuck": "{turn} {side:word} is stuck: the point goes to {winner:word}.",
}
