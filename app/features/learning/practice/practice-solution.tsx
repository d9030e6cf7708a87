import { ArrowRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { questionKinds } from '~/features/courses/questions/question-kinds'
import { ButtonLink } from '~/ui/button'
import { FormulaText } from '~/ui/formula-text'
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
  const { AnswerComparison } = questionKinds[question.type]
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const verdict = isRight ? verdicts.right : verdicts.wrong

  return (
    <section aria-labelledby="verdict" className="card p-5 sm:p-8">
      <p className="font-medium text-muted text-sm">{course}</p>
      <p className="mt-2 mb-5 font-semibold text-xl leading-snug">
        <FormulaText text={question.prompt} />
      </p>
      <AnswerComparison
        question={question}
        answer={given}
        correctAnswer={solution}
        isCorrect={isRight}
      />
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
