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
    const isUnanswered = positions?.length === 0
    if (isUnanswered) {
      return null
    }

    // An answer has to contain every option.
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
  /** The positions of the options, in the order of the learner. */
  const order = isAnswered ? listPositions(value) : [...options.keys()]

  /** The place in the list from which an item is being dragged. */
  const [draggedPlace, setDraggedPlace] = useState<number | null>(null)
  const [moveMessage, setMoveMessage] = useState('')
  /** The value of `data-button` of the button that moved an item. */
  const buttonToFocus = useRef<string | null>(null)
  const list = useRef<HTMLOListElement>(null)

  // This runs after each render: moving an item inserts it again, and its button loses the focus.
  useEffect(() => {
    if (buttonToFocus.current) {
      const selector = `[data-button="${buttonToFocus.current}"]`
      list.current?.querySelector<HTMLElement>(selector)?.focus()
    }

    buttonToFocus.current = null
  })

  /** @param pressedButton the button that moves the item, unless the item is dragged */
  const move = (fromPlace: number, toPlace: number, pressedButton?: 'up' | 'down') => {
    const position = order[fromPlace]
    if (position === undefined || toPlace < 0 || toPlace >= order.length) {
      return
    }

    buttonToFocus.current = pressedButton ? `${position}:${pressedButton}` : null
    setMoveMessage(describeMove(fromPlace, toPlace, order.length))
    onAnswer(moveItem(order, fromPlace, toPlace))
  }

  const drop = (event: DragEvent, toPlace: number) => {
    event.preventDefault()
    if (draggedPlace !== null && draggedPlace !== toPlace) {
      move(draggedPlace, toPlace)
    }

    setDraggedPlace(null)
  }

  return (
    <>
      <ol ref={list} className="grid gap-2">
        {order.map((position, place) => (
          <OrderedItem
            key={position}
            text={options[position] ?? ''}
            position={position}
            place={place}
            isLast={place === order.length - 1}
            isDragged={draggedPlace === place}
            onDrag={setDraggedPlace}
            onDrop={(event) => drop(event, place)}
            onMove={(toPlace, pressedButton) => move(place, toPlace, pressedButton)}
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
          // Without JavaScript, this submits the displayed order as it is.
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

/** Says where an item was moved. Readers count places from 1. */
function describeMove(fromPlace: number, toPlace: number, count: number): string {
  return `Moved from position ${fromPlace + 1} to position ${toPlace + 1} of ${count}.`
}

type OrderedItemProps = {
  text: string
  /** The item's position among the options, which identifies it in the answer. */
  position: number
  /** The item's place in the list, which is the learner's order, from 0. */
  place: number
  isLast: boolean
  isDragged: boolean
  /** Called with the place at which dragging starts, and with null when it ends. */
  onDrag(place: number | null): void
  onDrop(event: DragEvent): void
  onMove(toPlace: number, pressedButton: 'up' | 'down'): void
}

function OrderedItem({
  text,
  position,
  place,
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
      onDragStart={() => onDrag(place)}
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
        {place + 1}.
      </span>
      <span id={textId} className="min-w-0 flex-1">
        <FormulaText text={text} />
      </span>
      <MoveButton
        direction="up"
        place={place}
        itemPosition={position}
        itemTextId={textId}
        isDisabled={place === 0}
        onMove={() => onMove(place - 1, 'up')}
      />
      <MoveButton
        direction="down"
        place={place}
        itemPosition={position}
        itemTextId={textId}
        isDisabled={isLast}
        onMove={() => onMove(place + 1, 'down')}
      />
    </li>
  )
}

type MoveButtonProps = {
  direction: 'up' | 'down'
  place: number
  itemPosition: number
  /** The text may have formulas, which can't be part of the button's label. */
  itemTextId: string
  isDisabled: boolean
  onMove(): void
}

function MoveButton({
  direction,
  place,
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
      // Without JavaScript, this is the move that the server makes, from the item's present place.
      value={`${place}:${direction}`}
      // The list finds the button by this name after its item has moved to another place.
      data-button={`${itemPosition}:${direction}`}
      label={`Move item ${place + 1} ${direction}`}
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
