import { Link } from 'react-router'
import { FormulaText } from '~/ui/formula-text'
import { explainedIn as explainedInText, judgments } from './lesson-messages'
import type { QuizQuestion } from './lesson-page-data'
import type { QuestionRun, RunStage } from './quiz-rules'

type JudgmentProps = { stage: RunStage; run: QuestionRun }
export type QuizFeedbackProps = JudgmentProps & {
  question: QuizQuestion
  /** The lesson's place that explains it. */
  explainedIn: { to: string; title: string } | null
}

/** What is said about an answer: before the solution only where to read it again. */
export function QuizFeedback({ stage, run, question, explainedIn }: QuizFeedbackProps) {
  if (stage === 'open') return null
  const good = stage === 'right' || run.tries.length === 0
  return (
    <div className={`rounded-control p-4 ${good ? 'bg-good-soft' : 'bg-warn-soft'}`}>
      <p>
        <Judgment stage={stage} run={run} /> {stage !== 'second-try' && <FormulaText text={question.explanation} />}
      </p>
      {explainedIn && (
        <p className="mt-2">
          <Link to={explainedIn.to} className="link">
            {explainedInText(explainedIn.title)}
          </Link>
        </p>
      )}
    </div>
  )
}

/** Nothing where only the solution was asked for. */
function Judgment({ stage, run }: JudgmentProps) {
  if (stage === 'right')
    return <strong className="text-good">{run.tries.length === 1 ? judgments.right : judgments.rightThisTime}</strong>
  if (run.tries.length === 0) return null
  return (
    <>
      <strong className="text-warn">{judgments.wrong}</strong> {stage === 'second-try' && judgments.oneMoreTry}
    </>
  )
}
