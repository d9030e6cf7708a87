import { Star } from 'lucide-react'
import { useId, useState } from 'react'

const names = ['1 star', '2 stars', '3 stars', '4 stars', '5 stars']

/** A choice of one to five stars: five radio buttons, so that arrow keys and screen readers work as everywhere. */
export function StarField({
  legend,
  name,
  initial = 0,
  error,
  onChange,
  className = '',
}: {
  legend: string
  name: string
  /** 1 to 5; 0 while nothing is chosen. */
  initial?: number
  error?: string
  onChange?(): void
  className?: string
}) {
  const [chosen, setChosen] = useState(initial)
  const [pointed, setPointed] = useState(0)
  const errorId = useId()
  const lit = pointed || chosen
  return (
    <fieldset className={className} aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap items-center gap-x-3">
        <div className="-ml-1.5 flex" onPointerLeave={() => setPointed(0)}>
          {names.map((label, index) => (
            <label
              key={label}
              onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setPointed(index + 1)}
              className="relative grid size-11 cursor-pointer place-items-center rounded-control text-star has-focus-visible:outline-3 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name={name}
                value={index + 1}
                defaultChecked={index + 1 === initial}
                aria-invalid={error ? true : undefined}
                onChange={() => {
                  setChosen(index + 1)
                  onChange?.()
                }}
                className="absolute inset-0 cursor-pointer appearance-none opacity-0"
              />
              <span className="sr-only">{label}</span>
              <Star aria-hidden="true" size={28} fill={index < lit ? 'currentColor' : 'none'} />
            </label>
          ))}
        </div>
        <span aria-hidden="true" className="text-sm text-muted">
          {lit > 0 ? names[lit - 1] : 'Not rated yet'}
        </span>
      </div>
      {error && (
        <p id={errorId} className="mt-1.5 text-sm font-medium text-bad">
          {error}
        </p>
      )}
    </fieldset>
  )
}
