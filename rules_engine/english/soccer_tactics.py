"""Sentences about Soccer Tactics."""

from typing import Final

WORDS: Final = {
    "keeper": "keeper",
    "defender": "defender",
    "midfielder": "midfielder",
    "striker": "striker",
}

SENTENCES: Final = {
    # where the match is
    "stage_toss": "toss",
    "stage_first_half": "first half, minute {minute}",
    "stage_second_half": "second half, minute {minute}",
    "stage_first_over_time": "over time, first period, minute {minute}",
    "stage_second_over_time": "over time, second period, minute {minute}",
    "stage_shoot_out": "penalty shoot-out, {yellow}–{red}",
    # which roll comes
    "task_toss": "Both sides roll a die: the side with the lower roll kicks off.",
    "task_roll_pawn": "Next, the die for a pawn is rolled.",
    "task_roll_ball": "Next, the die for the ball is rolled.",
    "task_battle": "A battle for the ball: both sides roll next.",
    "task_shot": "A shot at goal: its roll comes next.",
    "task_penalty": "A penalty: its roll comes next.",
    # what is to be done
    "task_place_kicker": "Place pawn {shirt} with the ball in your part of the centre circle.",
    "task_place_striker": "Place pawn {shirt} in the row of the ball.",
    "task_place_opposing_striker": "Place pawn {shirt} in your row at the halfway line, not next to the ball.",
    "task_place_keeper": "Place your keeper in your goal area.",
    "task_pawn": "Move a field player without the ball exactly {number:square|squares}.",
    "task_pawn_to_ball": (
        "Move a field player exactly {number:square|squares}. One that can reach the ball on {ball} may go to it."
    ),
    "task_no_pawn": "None of your field players can move with a {number}: pass.",
    "task_ball": "Play the ball exactly {number:square|squares}.",
    "task_ball_or_dribble": "Play the ball exactly 1 square, or dribble: go there with it.",
    "task_attempt": "Try to reach the ball on {ball}: roll the die, or move your keeper one square.",
    "task_goal_kick": "Goal kick: place your keeper in your goal area.",
    "task_corner": "Corner from {corner}: choose who takes it.",
    "task_corner_keeper": "Corner: place your keeper in your goal area.",
    "task_corner_placing": "Corner: place one of your field players on a free square, or pass.",
    "step_roll": "Roll the die",
    # why a move is refused, whatever it is
    "roll_first": "a roll comes first",
    "no_roll_now": "there is nothing to roll now",
    "other_roll": "{text} is not a possible result of this roll",
    "other_action": "you have to do something else now, such as {forms:or}",
    "pass_not_allowed_now": "you may pass only when none of your field players can move",
    "no_pawn_on": "there is no pawn on {space}",
    "not_your_pawn": "the pawn on {space} is your opponent's",
    "pawn_is_off": "your pawn {shirt} is not on the board",
    # why a pawn may not stand there
    "own_pawn_on": "your own pawn stands on {space}",
    "goal_area_taken": "{space} is in a goal area where another of your pawns stands",
    "penalty_area_full": "{space} is in a penalty area where {number} of your field players already stand",
    "line_too_long": (
        "with a pawn on {space} more than {row} of yours would stand side by side in a row, or more than {column} in a "
        "column"
    ),
    "defender_leaves_half": "a defender must stay in its own half, and {space} is outside it",
    "keeper_leaves_half": "the keeper must stay in its own half, and {space} is outside it",
    # why a pawn may not move so
    "keeper_without_die": "a die never moves the keeper",
    "only_keeper_without_die": (
        "without a roll only the keeper can move; to move a field player, roll the die first (roll)"
    ),
    "keeper_one_square": "the keeper moves one square, and {space} is not next to the keeper",
    "holder_stays": "the pawn on {space} has the ball: move another one first",
    "pawn_unreachable": "the pawn on {start} cannot reach {space} with a {number}",
    "double_touch": "the pawn that took the kick may not touch the ball again before another pawn has",
    # why the ball may not be played so
    "ball_unreachable_exactly": (
        "the ball cannot go exactly {number:square|squares} from {ball} to {space} with one change of direction"
    ),
    "kick_off_stays_back": "a kick-off ends beyond the halfway line, and {space} is not there",
    "goal_kick_stays_in": "a goal kick ends outside the penalty area, and {space} is inside it",
    "keeper_dribbles": "the keeper does not dribble",
    "dribble_at_restart": "the pawn that takes a kick does not dribble",
    "dribble_needs_one": "you may dribble only on a 1, not on a {number}",
    "dribble_one_square": "a dribble is one square, and {space} is not next to the ball",
    # why a pawn may not be placed so
    "place_in_circle": "the kicker stands in your part of the centre circle, not on {space}",
    "place_in_goal_area": "your keeper is placed in your goal area, not on {space}",
    "place_in_row": "strikers are placed in your row at the halfway line, and {space} is not in it",
    "place_near_ball": "{space} is next to the ball, where no opponent may be placed",
    "keeper_takes_no_corner": "the keeper does not take a corner",
    "keeper_not_placed": "only field players can be moved at a corner",
    "kicker_not_placed": "the pawn that takes the corner stays there",
    "placed_already": "the pawn on {space} has already been placed at this corner",
    "square_not_free": "there is already a pawn on {space}",
    "near_corner": "{space} is next to the corner, where no opponent may be placed",
    # what is on a square
    "pawn_name": "{side:word} {role:word} {shirt}",
    "space_two_figures": "{figure}, {other}",
    "tally_card": "yellow card: {role:word} {shirt}",
    "tally_defenders": "yellow card for the defenders: the next defender to foul is sent off",
    "tally_sent_off": "sent off: {shirt}",
    # why a text cannot be read
    "action_form_unknown": "{text:quoted} is not written like a move of Soccer Tactics, such as c6-d8 or >e9",
    "tactics_position_form": (
        "a position is one line: phase, clock, side, dice, Yellow's pawns, Red's pawns, keepers, cards, ball, restart, "
        "kicker, count, placed, score, opener, penalties; this is {text:quoted}"
    ),
    "unknown_square": "there is no square {name:quoted}",
    # why a position is impossible
    "fault_toss": "before the kick-off nothing has happened but the toss",
    "fault_shared_square": "two pawns of a side share a square",
    "fault_keeper": "{side:word} can have another keeper only if the first one was sent off",
    "fault_waiting": "a pawn waits to be placed without a kick-off",
    "fault_half": "{side:word}'s pawn {shirt} is outside the half that it must stay in",
    "fault_goal_area": "{side:word} has two pawns in a goal area",
    "fault_cards": "{side:word}'s cards and the pawns sent off do not agree",
    "fault_nobody": "the position does not say whose ball it is, or who began the match",
    "fault_ending": "the match is not over with this score and clock",
    "fault_period": "penalties decide after over time, and nothing else is played then",
    "fault_minute": "this cannot happen in this minute",
    "fault_shoot_out": "the penalties do not fit the score or each other",
    "fault_dice": "the dice do not fit what comes next",
    "fault_ball_out": "the ball is not on the board now",
    "fault_no_ball": "the ball is missing",
    "fault_corner": "this cannot happen at a corner",
    "fault_not_held": "the side that has the ball has no pawn on its square",
    "fault_opponent_on_ball": "there must be a battle if, and only if, an opponent is on the ball's square",
    "fault_ball_held": "a free ball is on a square without a pawn",
    "fault_penalty": "a penalty is for a foul in the penalty area",
    "fault_placed": "the pawns placed at a corner do not fit what was placed",
    "fault_count": "the count does not fit what comes next",
    "fault_restart": "the restart does not fit what comes next",
    "fault_kicker": "the kick is taken by another pawn, or from another square",
    "fault_set_up": "the pawns do not stand as at a kick-off",
    "fault_number": "this number cannot be used now",
    # the board in words
    "team_pawns": "{side:word}: {pawns:and}.",
    "no_pawns": "no pawn on the board",
    "pawn_on": "{role:word} {shirt} on {space}",
    "ball_not_on_board": "The ball is not on the board.",
    "yellow_cards": "{side:word} has yellow cards for {shirts:and}.",
    "defenders_warned": (
        "{side:word}'s defenders have had their one yellow card: the next defender to foul is sent off."
    ),
    "pawns_sent_off": "{side:word} plays without {shirts:and}, who were sent off.",
    # moves and rolls in words
    "rolls_for_first_kick": "{side:word} rolls {face} to see who kicks off.",
    "rolls_for_pawn": "{side:word} rolls {number} for a pawn.",
    "rolls_for_ball": "{side:word} rolls {number} for the ball.",
    "battle_rolled": "{pawn} rolls {own}, {opponent} rolls {other}.",
    "shot_goal": "{pawn} shoots and scores.",
    "shot_corner": "{pawn} shoots, and the ball goes out for a corner.",
    "shot_wide": "{pawn} shoots wide: goal kick.",
    "penalty_goal": "{side:word} scores from the penalty spot.",
    "penalty_missed": "{side:word} misses the penalty.",
    "pawn_placed": "{pawn} is placed on {space}.",
    "pawn_moves": "{pawn} moves from {start} to {end}.",
    "pawn_put": "{pawn} is moved from {start} to {end}.",
    "pawn_dribbles": "{pawn} dribbles to {space}.",
    "ball_played": "{pawn} plays the ball to {space}.",
    "ball_passed": "{pawn} passes to {receiver} on {space}.",
    "takes_corner": "{pawn} takes the corner from {space}.",
    "asks_for_die": "{side:word} goes for the ball with a field player.",
    "moves_nobody": "{side:word} cannot move a field player.",
    "places_nobody": "{side:word} leaves all pawns where they are.",
    "with_consequence": "{sentence} {consequence}",
    "is_shown_yellow": "A foul: {pawn} is shown a yellow card.",
    "is_sent_off": "A foul: {pawn} is sent off.",
    "battle_level": "Nobody wins: both roll again.",
    "battle_begins": "A battle begins between {pawns:and}.",
    "offside": "Off-side: free kick for {side:word}.",
    "takes_ball": "{side:word} has the ball now.",
    "keeps_ball": "{side:word} keeps the ball.",
    "half_ends": "That ends this part of the match.",
    "match_ends": "The match is over.",
}
