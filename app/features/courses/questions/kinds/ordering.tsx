import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { Button, IconButton } from '~/ui/button'
import { FormulaText } from '~/ui/formula-text'
import type { AnswerComparisonProps, AnswerFieldProps, QuestionKind } from '../question-kind'
import { AnswerPair } from './answer-pair'
import { listPositions, moveItem, readPositions } from './positions'

export const orderingQuestion: QuestionKind = {
  hint: 'Put the items in the correct order, starting at the top.',
  isAnsweredByOrder: true,

  readAnswer(value, optionCount) {
    const positions = readPositions(value, optionCount)
    if (positions?.length === 0) {
      return null
    }

    return positions?.length === optionCount ? positions : undefined
  },

  readFormFields(fields) {
    return fields.map(Number)
  },

  AnswerField: OrderingField,
  AnswerComparison: OrderingComparison,
}

/**
 * Items that the learner brings into order by buttons, with the keyboard, or by dragging. Without
 * JavaScript, the buttons submit the form.
 */
export function OrderingField({ question, value, onAnswer }: AnswerFieldProps) {
  const { options } = question
  const isAnswered = value !== null
  const order = isAnswered ? listPositions(value) : [...options.keys()]

  const [draggedIndex, setDraggedIndex] = useState<number | null>(null)
  const [moveMessage, setMoveMessage] = useState('')
  const buttonToFocus = useRef<string | null>(null)
  const list = useRef<HTMLOListElement>(null)

  useEffect(() => {
    // Moving an item inserts it again, and its button loses the focus.
    if (buttonToFocus.current) {
      const selector = `[data-button="${buttonToFocus.current}"]`
      list.current?.querySelector<HTMLElement>(selector)?.focus()
    }

    buttonToFocus.current = null
  })

  const move = (from: number, to: number, direction?: 'up' | 'down') => {
    const position = order[from]
    if (position === undefined || to < 0 || to >= order.length) {
      return
    }

    buttonToFocus.current = direction ? `${position}:${direction}` : null
    setMoveMessage(formatMove(from + 1, to + 1, order.length))
    onAnswer(moveItem(order, from, to))
  }

  const drop = (event: DragEvent, to: number) => {
    event.preventDefault()
    if (draggedIndex !== null && draggedIndex !== to) {
      move(draggedIndex, to)
    }

    setDraggedIndex(null)
  }

  return (
    <>
      <ol ref={list} className="grid gap-2">
        {order.map((position, index) => (
          <OrderedItem
            key={position}
            text={options[position] ?? ''}
            position={position}
            index={index}
            isLast={index === order.length - 1}
            isDragged={draggedIndex === index}
            onDrag={setDraggedIndex}
            onDrop={(event) => drop(event, index)}
            onMove={(to, direction) => move(index, to, direction)}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {moveMessage}
      </p>
      {!isAnswered && (
        <Button
          variant="secondary"
          type="submit"
          name="move"
          value="keep"
          className="mt-3"
          onClick={(event) => {
            event.preventDefault()
            onAnswer([...order])
          }}
        >
          Use this order
        </Button>
      )}
    </>
  )
}

function formatMove(from: number, to: number, count: number): string {
  return `Moved from position ${from} to position ${to} of ${count}.`
}

type OrderedItemProps = {
  text: string
  /** The item's position among the options, which identifies it in the answer. */
  position: number
  /** Where the item is in the learner's order. */
  index: number
  isLast: boolean
  isDragged: boolean
  onDrag(index: number | null): void
  onDrop(event: DragEvent): void
  onMove(to: number, direction: 'up' | 'down'): void
}

function OrderedItem({
  text,
  position,
  index,
  isLast,
  isDragged,
  onDrag,
  onDrop,
  onMove,
}: OrderedItemProps) {
  const textId = useId()

  return (
    <li
      draggable
      onDragStart={() => onDrag(index)}
      onDragEnd={() => onDrag(null)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      className={`flex items-center gap-2 rounded-control border bg-surface p-2 pl-3 ${isDragged ? 'border-accent opacity-60' : 'border-edge'}`}
    >
      <input type="hidden" name="answer" value={position} />
      <GripVertical
        aria-hidden="true"
        size={18}
        className="hidden shrink-0 cursor-grab text-muted sm:block"
      />
      <span aria-hidden="true" className="w-6 shrink-0 font-semibold text-muted tabular-nums">
        {index + 1}.
      </span>
      <span id={textId} className="min-w-0 flex-1">
        <FormulaText text={text} />
      </span>
      <MoveButton
        direction="up"
        index={index}
        itemPosition={position}
        itemTextId={textId}
        isDisabled={index === 0}
        onMove={() => onMove(index - 1, 'up')}
      />
      <MoveButton
        direction="down"
        index={index}
        itemPosition={position}
        itemTextId={textId}
        isDisabled={isLast}
        onMove={() => onMove(index + 1, 'down')}
      />
    </li>
  )
}

type MoveButtonProps = {
  direction: 'up' | 'down'
  index: number
  itemPosition: number
  /** The text may have formulas, which can't be part of the button's label. */
  itemTextId: string
  isDisabled: boolean
  onMove(): void
}

function MoveButton({
  direction,
  index,
  itemPosition,
  itemTextId,
  isDisabled,
  onMove,
}: MoveButtonProps) {
  const Icon = direction === 'up' ? ArrowUp : ArrowDown

  return (
    <IconButton
      variant="framed"
      type="submit"
      name="move"
      value={`${index}:${direction}`}
      // The list finds the button by this name after its item has moved.
      data-button={`${itemPosition}:${direction}`}
      label={`Move item ${index + 1} ${direction}`}
      aria-describedby={itemTextId}
      // A disabled button would lose the focus when its item reaches the end of the list.
      aria-disabled={isDisabled || undefined}
      onClick={(event) => {
        event.preventDefault()
        onMove()
      }}
    >
      <Icon aria-hidden="true" size={18} />
    </IconButton>
  )
}

function OrderingComparison({ question, answer, correctAnswer, isCorrect }: AnswerComparisonProps) {
  const { options } = question
  return (
    <AnswerPair
      answer={answer === null ? null : <NumberedItems options={options} order={answer} />}
      correctAnswer={<NumberedItems options={options} order={correctAnswer} />}
      isCorrect={isCorrect}
    />
  )
}

type NumberedItemsProps = { options: readonly string[]; order: AnswerComparisonProps['answer'] }

function NumberedItems({ options, order }: NumberedItemsProps) {
  return (
    <ol className="list-decimal pl-6">
      {listPositions(order).map((position) => (
        <li key={position}>
          <FormulaText text={options[position] ?? ''} />
        </li>
      ))}
    </ol>
  )
}
