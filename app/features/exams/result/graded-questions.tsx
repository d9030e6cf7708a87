import { Check, X } from 'lucide-react'
import { Link } from 'react-router'
import { FormulaText } from '~/ui/formula-text'
import type { GradedQuestion, Solution } from '../exam-page-data'

const verdicts = {
  right: { text: 'Correct', Icon: Check, className: 'text-good' },
  wrong: { text: 'Incorrect', Icon: X, className: 'text-bad' },
  unanswered: { text: 'Not answered', Icon: X, className: 'text-bad' },
} as const

/**
 * Lists the questions of an attempt with the learner's answers, the correct ones and explanations.
 */
export function GradedQuestions({ questions }: { questions: readonly GradedQuestion[] }) {
  return (
    <section aria-labelledby="questions" className="mt-10">
      <h2 id="questions" className="font-bold text-xl">
        Question by question
      </h2>
      <ol className="mt-4 grid gap-4">
        {questions.map((question, index) => (
          <GradedQuestionItem key={question.prompt} question={question} number={index + 1} />
        ))}
      </ol>
    </section>
  )
}

function GradedQuestionItem({ question, number }: { question: GradedQuestion; number: number }) {
  const { text, Icon, className } = verdicts[question.verdict]
  return (
    <li className="card p-5 sm:p-6">
      <p className={`flex items-center gap-2 font-semibold ${className}`}>
        <Icon aria-hidden="true" size={18} />
        {text}
      </p>
      <h3 className="mt-2 font-semibold text-lg leading-snug">
        {number}. <FormulaText text={question.prompt} />
      </h3>
      <Explanation solution={question.solution} isRight={question.verdict === 'right'} />
      {question.explainedIn && (
        <p className="mt-4">
          Review:{' '}
          <Link to={question.explainedIn.to} className="link">
            {question.explainedIn.title}
          </Link>
        </p>
      )}
    </li>
  )
}

/** Shows the learner's answer, the correct one unless they gave it, and the explanation. */
export function Explanation({ solution, isRight }: { solution: Solution; isRight: boolean }) {
  const { given, expected, ordered, explanation } = solution
  return (
    <>
      <dl className="mt-4 grid gap-4 sm:grid-cols-2">
        {given && <Answer name="Your answer" texts={given} ordered={ordered} />}
        {!isRight && <Answer name="Correct answer" texts={expected} ordered={ordered} />}
      </dl>
      <p className="mt-4 border-accent border-l-2 pl-4 text-muted">
        <FormulaText text={explanation} />
      </p>
    </>
  )
}

type AnswerProps = { name: string; texts: readonly string[]; ordered: boolean }

function Answer({ name, texts, ordered }: AnswerProps) {
  const List = ordered ? 'ol' : 'ul'
  return (
    <div>
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="mt-0.5 font-medium">
        {texts.length === 1 ? (
          <FormulaText text={texts[0] ?? ''} />
        ) : (
          <List className={`pl-5 ${ordered ? 'list-decimal' : 'list-disc'}`}>
            {texts.map((text) => (
              <li key={text}>
                <FormulaText text={text} />
              </li>
            ))}
          </List>
        )}
      </dd>
    </div>
  )
}
