import { ArrowRight, Check, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { FormulaText } from '~/ui/formula-text'
import type { ExamAnswer, ShownQuestion } from '../questions/exam-question'
import type { PracticeFeedback } from './practice-data'
import { verdicts } from './practice-messages'

/** An answered question with the right answer and its explanation. */
export function PracticeSolution({
  feedback,
  last,
}: {
  feedback: PracticeFeedback
  last: boolean
}) {
  const { question, given, solution, isRight, explanation, place, course } = feedback
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const verdict = isRight ? verdicts.right : verdicts.wrong
  const choice = question.type === 'single' || question.type === 'multiple'

  return (
    <section aria-labelledby="verdict" className="card p-5 sm:p-8">
      <p className="font-medium text-muted text-sm">{course}</p>
      <p className="mt-2 mb-5 font-semibold text-xl leading-snug">
        <FormulaText text={question.prompt} />
      </p>
      {choice ? (
        <Choices question={question} given={given} solution={solution} />
      ) : (
        <Words question={question} given={given} solution={solution} isRight={isRight} />
      )}
      <div className={`mt-5 rounded-control p-4 ${isRight ? 'bg-good-soft' : 'bg-warn-soft'}`}>
        <h2
          ref={heading}
          id="verdict"
          tabIndex={-1}
          className={`font-bold outline-none ${isRight ? 'text-good' : 'text-warn'}`}
        >
          {verdict.title}
        </h2>
        <p className="mt-1">
          <FormulaText text={explanation} />
        </p>
        <p className="mt-2 text-muted text-sm">{verdict.text}</p>
      </div>
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <ButtonLink to="/Practice">
          {last ? 'Finish' : 'Next question'} <ArrowRight aria-hidden="true" size={18} />
        </ButtonLink>
        {place && (
          <Link to={place} className="link inline-flex min-h-11 items-center px-2">
            Review the lesson
          </Link>
        )}
      </div>
    </section>
  )
}

type Answered = Pick<PracticeFeedback, 'question' | 'given' | 'solution'>

const marks = {
  right: {
    look: 'border-good bg-good-soft',
    text: 'Correct answer',
    Icon: Check,
    color: 'text-good',
  },
  wrong: { look: 'border-bad bg-bad-soft', text: 'Your answer', Icon: X, color: 'text-bad' },
} as const

function Choices({ question, given, solution }: Answered) {
  const has = (answer: ExamAnswer, place: number) =>
    Array.isArray(answer) ? answer.includes(place) : answer === place
  return (
    <ul className="grid gap-2">
      {question.options.map((option, place) => {
        const mark = has(solution, place) ? marks.right : has(given, place) ? marks.wrong : null
        return (
          <li
            key={option}
            className={`flex min-h-12 items-center gap-3 rounded-control border px-4 py-2.5 ${mark?.look ?? 'border-line text-muted'}`}
          >
            <span className="min-w-0 flex-1">
              <FormulaText text={option} />
            </span>
            {mark && (
              <span
                className={`flex shrink-0 items-center gap-1.5 font-semibold text-sm ${mark.color}`}
              >
                <mark.Icon aria-hidden="true" size={18} />
                {has(solution, place) && has(given, place) ? 'Your answer' : mark.text}
                {has(solution, place) && has(given, place) && (
                  <span className="sr-only">, correct</span>
                )}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Words({ question, given, solution, isRight }: Answered & { isRight: boolean }) {
  return (
    <dl className="grid gap-4">
      {!isRight && given !== null && (
        <div>
          <dt className="text-muted text-sm">Your answer</dt>
          <dd className="mt-1 font-medium">{inWords(question, given)}</dd>
        </div>
      )}
      <div>
        <dt className="text-muted text-sm">{isRight ? 'Your answer' : 'Correct answer'}</dt>
        <dd className="mt-1 font-medium">{inWords(question, isRight ? given : solution)}</dd>
      </div>
    </dl>
  )
}

function inWords({ options, unit }: ShownQuestion, answer: ExamAnswer) {
  if (!Array.isArray(answer)) {
    return unit && !String(answer).includes(unit) ? `${answer} ${unit}` : answer
  }

  return (
    <ol className="list-decimal pl-6">
      {answer.map((place: number) => (
        <li key={place}>
          <FormulaText text={options[place] ?? ''} />
        </li>
      ))}
    </ol>
  )
}
