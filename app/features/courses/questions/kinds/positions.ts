/**
 * Answers that name options by their positions on the learner's screen, from 0. Choices and
 * orderings share these functions.
 */

import type { LearnerAnswer } from '../question-kind'

export function isPosition(value: unknown, optionCount: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < optionCount
}

/** Returns different positions in the given order, or undefined if the value is anything else. */
export function readPositions(value: unknown, optionCount: number): number[] | undefined {
  if (!Array.isArray(value)) {
    return undefined
  }

  const areAllPositions = value.every((position) => isPosition(position, optionCount))
  const areAllDifferent = new Set(value).size === value.length
  return areAllPositions && areAllDifferent ? value : undefined
}

/** Returns the positions that an answer names. */
export function listPositions(answer: LearnerAnswer): readonly number[] {
  if (Array.isArray(answer)) {
    return answer
  }

  return typeof answer === 'number' ? [answer] : []
}

/**
 * Returns the order after a button of an ordering was pressed without JavaScript.
 *
 * @param command `2:up` or `2:down`, the item's index and its direction. Any other command, such
 * as `keep`, and an impossible move change nothing.
 */
export function applyMoveCommand(order: readonly number[], command: string): number[] {
  const [, index = '', direction] = /^(\d{1,3}):(up|down)$/.exec(command) ?? []
  if (!direction) {
    return [...order]
  }

  const from = Number(index)
  const to = direction === 'up' ? from - 1 : from + 1
  return moveItem(order, from, to)
}

/** Returns the order with the item at `from` taken out and inserted at `to`. */
export function moveItem(order: readonly number[], from: number, to: number): number[] {
  const item = order[from]
  if (item === undefined || to < 0 || to >= order.length) {
    return [...order]
  }

  return order.toSpliced(from, 1).toSpliced(to, 0, item)
}
