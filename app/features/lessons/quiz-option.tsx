import { Check, X } from 'lucide-react'
import { FormulaText } from '~/ui/formula-text'
import type { Verdict } from './quiz-rules'

const looks = { right: 'border-good bg-good-soft', wrong: 'border-bad bg-bad-soft', none: 'border-line' }

export function QuizOption({
  name,
  value,
  several,
  text,
  verdict,
}: {
  name: string
  value: number
  several: boolean
  text: string
  verdict: Verdict
}) {
  return (
    <label
      className={`flex min-h-11 items-center gap-3 rounded-control border px-4 py-2.5 hover:border-edge has-checked:border-accent ${looks[verdict ?? 'none']}`}
    >
      <input
        type={several ? 'checkbox' : 'radio'}
        name={name}
        value={value}
        className="size-5 shrink-0 accent-accent"
      />
      <span className="flex-1">
        <FormulaText text={text} />
      </span>
      {verdict === 'right' && (
        <span className="text-good">
          <Check aria-hidden="true" size={20} />
          <span className="sr-only">Correct answer</span>
        </span>
      )}
      {verdict === 'wrong' && (
        <span className="text-bad">
          <X aria-hidden="true" size={20} />
          <span className="sr-only">Incorrect</span>
        </span>
      )}
    </label>
  )
}
