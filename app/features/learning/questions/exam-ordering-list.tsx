import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '~/ui/button'
import { FormulaText } from '~/ui/formula-text'
import { IconButton } from '~/ui/icon-button'
import { withItemAt } from './form-answer'
import { itemMoved } from './question-messages'

type ExamOrderingListProps = {
  options: readonly string[]
  /** Places of the options in their present order. */
  order: readonly number[]
  answered: boolean
  onOrder(order: number[]): void
}

/**
 * Items to bring into order: by buttons, with the keyboard, or by dragging. The buttons submit the
 * form without a script.
 */
export function ExamOrderingList({ options, order, answered, onOrder }: ExamOrderingListProps) {
  const [dragged, setDragged] = useState<number | null>(null)
  const [spoken, setSpoken] = useState('')
  const focus = useRef<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // Moving an item re-inserts it, which loses the focus of its button.
    if (focus.current) {
      list.current?.querySelector<HTMLElement>(`[data-button="${focus.current}"]`)?.focus()
    }

    focus.current = null
  })
  const move = (from: number, to: number, direction?: string) => {
    const item = order[from]
    if (item === undefined || to < 0 || to >= order.length) {
      return
    }

    focus.current = direction ? `${item}:${direction}` : null
    setSpoken(itemMoved(from + 1, to + 1, order.length))
    onOrder(withItemAt(order, from, to))
  }
  const drop = (event: DragEvent, to: number) => {
    event.preventDefault()
    if (dragged !== null && dragged !== to) {
      move(dragged, to)
    }

    setDragged(null)
  }

  return (
    <>
      <ol ref={list} className="grid gap-2">
        {order.map((place, index) => (
          <OrderedItem
            key={place}
            text={options[place] ?? ''}
            place={place}
            index={index}
            isLast={index === order.length - 1}
            isDragged={dragged === index}
            onDrag={setDragged}
            onDrop={(event) => drop(event, index)}
            onMove={(to, direction) => move(index, to, direction)}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      {!answered && (
        <Button
          look="secondary"
          type="submit"
          name="move"
          value="keep"
          className="mt-3"
          onClick={(event) => {
            event.preventDefault()
            onOrder([...order])
          }}
        >
          Use this order
        </Button>
      )}
    </>
  )
}

type OrderedItemProps = {
  text: string
  /** Of the option, as the answer names it. */
  place: number
  /** Where it is in the order. */
  index: number
  isLast: boolean
  isDragged: boolean
  onDrag(index: number | null): void
  onDrop(event: DragEvent): void
  onMove(to: number, direction: 'up' | 'down'): void
}

function OrderedItem({
  text,
  place,
  index,
  isLast,
  isDragged,
  onDrag,
  onDrop,
  onMove,
}: OrderedItemProps) {
  const id = useId()
  return (
    <li
      draggable
      onDragStart={() => onDrag(index)}
      onDragEnd={() => onDrag(null)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={onDrop}
      className={`flex items-center gap-2 rounded-control border bg-surface p-2 pl-3 ${isDragged ? 'border-accent opacity-60' : 'border-edge'}`}
    >
      <input type="hidden" name="answer" value={place} />
      <GripVertical
        aria-hidden="true"
        size={18}
        className="hidden shrink-0 cursor-grab text-muted sm:block"
      />
      <span aria-hidden="true" className="w-6 shrink-0 font-semibold text-muted tabular-nums">
        {index + 1}.
      </span>
      <span id={id} className="min-w-0 flex-1">
        <FormulaText text={text} />
      </span>
      <MoveButton
        direction="up"
        index={index}
        label={`Move item ${index + 1} up`}
        item={id}
        name={`${place}:up`}
        disabled={index === 0}
        onMove={() => onMove(index - 1, 'up')}
      />
      <MoveButton
        direction="down"
        index={index}
        label={`Move item ${index + 1} down`}
        item={id}
        name={`${place}:down`}
        disabled={isLast}
        onMove={() => onMove(index + 1, 'down')}
      />
    </li>
  )
}

type MoveButtonProps = {
  direction: 'up' | 'down'
  index: number
  label: string
  /** Id of the item's text, which may have formulas. */
  item: string
  /** Finds the button again after its item has moved. */
  name: string
  disabled: boolean
  onMove(): void
}

/** Stays focusable at the end of the list, so focus isn't lost. */
function MoveButton({ direction, index, label, item, name, disabled, onMove }: MoveButtonProps) {
  const Icon = direction === 'up' ? ArrowUp : ArrowDown
  return (
    <IconButton
      look="framed"
      type="submit"
      name="move"
      value={`${index}:${direction}`}
      data-button={name}
      label={label}
      aria-describedby={item}
      aria-disabled={disabled || undefined}
      onClick={(event) => {
        event.preventDefault()
        onMove()
      }}
    >
      <Icon aria-hidden="true" size={18} />
    </IconButton>
  )
}
