import { Award, Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { countText } from '~/ui/count-text'
import { dateText } from '~/ui/date-text'
import { FormulaText } from '~/ui/formula-text'
import { Notice } from '~/ui/notice'
import { pointsToPass } from './exam-judge'
import {
  type ExamOverview,
  isCertificateWaiting,
  type JudgedQuestion,
  type ResultData,
  type Solution,
} from './exam-page-data'
import { gradeOf, scorePercent } from './grade'
import { GradeBadge } from './grade-badge'

type ExamResultViewProps = { overview: ExamOverview; result: ResultData; waitingCertificate: ReactNode }

/** How an attempt went, question by question; with right answers and explanations once they help nobody to pass. */
export function ExamResultView({ overview, result, waitingCertificate }: ExamResultViewProps) {
  const { course, exam, timezone } = overview
  return (
    <div className="column max-w-4xl py-10 sm:py-14">
      <p className="eyebrow">{course.title}</p>
      <h1 className="title mt-2">{result.passed ? 'You passed the exam' : 'Not passed this time'}</h1>
      <section aria-label="Result" className="card mt-8 flex flex-wrap items-center gap-x-8 gap-y-5 p-5 sm:p-8">
        <ScoreRing percent={scorePercent(result)} passed={result.passed} />
        <div className="min-w-56 flex-1">
          <p className="flex flex-wrap items-center gap-3 font-semibold text-lg">
            {result.score} of {result.maxScore} correct <GradeBadge grade={gradeOf(result)} />
          </p>
          <p className="mt-1 text-muted">
            {exam.title}, {dateText(result.submittedAt, timezone)}. You need{' '}
            {pointsToPass(result.maxScore, result.passPercent)} of {result.maxScore} to pass.
            {result.timedOut && ' Time ran out, so your answers were submitted as they were.'}
          </p>
          <NextStep overview={overview} passed={result.passed} />
        </div>
      </section>
      {isCertificateWaiting(overview) && <div className="mt-6">{waitingCertificate}</div>}
      {result.questions ? (
        result.questions.length > 0 && <Questions questions={result.questions} overview={overview} />
      ) : (
        <Notice look="info" className="mt-8">
          You have another attempt in progress. Submit it to see each question here again.
        </Notice>
      )}
    </div>
  )
}

/** A ring filled to the score; the number stands inside as text. */
function ScoreRing({ percent, passed }: { percent: number; passed: boolean }) {
  return (
    <div className="relative grid size-32 shrink-0 place-items-center">
      <svg aria-hidden="true" viewBox="0 0 120 120" className="absolute inset-0 -rotate-90">
        <circle cx="60" cy="60" r="52" fill="none" strokeWidth="10" className="stroke-line" />
        <circle
          cx="60"
          cy="60"
          r="52"
          fill="none"
          strokeWidth="10"
          strokeLinecap="round"
          pathLength="100"
          strokeDasharray={`${percent} 100`}
          className={percent === 0 ? 'hidden' : passed ? 'stroke-good' : 'stroke-warn'}
        />
      </svg>
      <span className="font-bold text-3xl tabular-nums">{percent}%</span>
    </div>
  )
}

function NextStep({ overview, passed }: { overview: ExamOverview; passed: boolean }) {
  const { course, certificate, lessonsLeft, attemptsLeft, nextAttemptAt, openAttemptId } = overview
  const mayStart = attemptsLeft > 0 && nextAttemptAt === null
  return (
    <div className="mt-5 flex flex-wrap items-center gap-3">
      {certificate && !certificate.revoked && (
        <ButtonLink to={`/Certificate/${certificate.id}`}>
          <Award aria-hidden="true" size={18} /> See your certificate
        </ButtonLink>
      )}
      {passed && !certificate && !overview.completed && (
        <>
          <p>Finish {countText(lessonsLeft, 'more lesson')} to earn your certificate.</p>
          <ButtonLink to={`/Learn/${course.id}`}>Continue learning</ButtonLink>
        </>
      )}
      {openAttemptId && <ButtonLink to={`/Exam/${course.id}`}>Continue your attempt</ButtonLink>}
      {!passed && !openAttemptId && mayStart && <ButtonLink to={`/Exam/${course.id}`}>Try again</ButtonLink>}
      {!passed && (
        <ButtonLink to={`/Learn/${course.id}`} look="secondary">
          Back to lessons
        </ButtonLink>
      )}
      <Link to={`/Exam/${course.id}`} className="inline-flex min-h-11 items-center px-2 font-semibold">
        All attempts
      </Link>
    </div>
  )
}

const verdicts = {
  right: { text: 'Correct', Icon: Check, look: 'text-good' },
  wrong: { text: 'Incorrect', Icon: X, look: 'text-bad' },
  unanswered: { text: 'Not answered', Icon: X, look: 'text-bad' },
} as const

function Questions({ questions, overview }: { questions: readonly JudgedQuestion[]; overview: ExamOverview }) {
  return (
    <section aria-labelledby="questions" className="mt-10">
      <h2 id="questions" className="font-bold text-xl">
        Question by question
      </h2>
      {!overview.answersShown && (
        <p className="mt-2 text-muted">
          {overview.exam.attemptsWithinDays === null
            ? 'You’ll see correct answers and explanations once you’ve passed or used all your attempts.'
            : 'You’ll see correct answers and explanations once you’ve passed.'}
        </p>
      )}
      <ol className="mt-4 grid gap-4">
        {questions.map((question, index) => (
          <Question key={question.prompt} question={question} number={index + 1} />
        ))}
      </ol>
    </section>
  )
}

function Question({ question, number }: { question: JudgedQuestion; number: number }) {
  const { text, Icon, look } = verdicts[question.verdict]
  return (
    <li className="card p-5 sm:p-6">
      <p className={`flex items-center gap-2 font-semibold ${look}`}>
        <Icon aria-hidden="true" size={18} />
        {text}
      </p>
      <h3 className="mt-2 font-semibold text-lg leading-snug">
        {number}. <FormulaText text={question.prompt} />
      </h3>
      {question.solution && <Explanation solution={question.solution} right={question.verdict === 'right'} />}
    </li>
  )
}

function Explanation({ solution, right }: { solution: Solution; right: boolean }) {
  const { given, expected, ordered, explanation } = solution
  return (
    <>
      <dl className="mt-4 grid gap-4 sm:grid-cols-2">
        {given && <Answer name="Your answer" texts={given} ordered={ordered} />}
        {!right && <Answer name="Correct answer" texts={expected} ordered={ordered} />}
      </dl>
      <p className="mt-4 border-accent border-l-2 pl-4 text-muted">
        <FormulaText text={explanation} />
      </p>
    </>
  )
}

function Answer({ name, texts, ordered }: { name: string; texts: readonly string[]; ordered: boolean }) {
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
