import { Award, Check, X } from 'lucide-react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { dateText } from '~/ui/date-text'
import { pointsToPass } from './exam-judge'
import type { ExamOverview, JudgedQuestion, ResultData } from './exam-page-data'
import { gradeOf, scorePercent } from './grade'
import { GradeBadge } from './grade-badge'

type ExamResultViewProps = { overview: ExamOverview; result: ResultData }

/** How an attempt went, with the right answer and an explanation of every question. */
export function ExamResultView({ overview, result }: ExamResultViewProps) {
  const { course, exam, timezone } = overview
  return (
    <div className="column max-w-4xl py-10 sm:py-14">
      <p className="eyebrow">{course.title}</p>
      <h1 className="title mt-2">{result.passed ? 'You passed the exam' : 'Not passed this time'}</h1>
      <section aria-label="Result" className="card mt-8 flex flex-wrap items-center gap-x-8 gap-y-5 p-5 sm:p-8">
        <ScoreRing percent={scorePercent(result)} passed={result.passed} />
        <div className="min-w-56 flex-1">
          <p className="flex flex-wrap items-center gap-3 font-semibold text-lg">
            {result.score} of {result.maxScore} questions right <GradeBadge grade={gradeOf(result)} />
          </p>
          <p className="mt-1 text-muted">
            {exam.title}, {dateText(result.submittedAt, timezone)}. {pointsToPass(result.maxScore, result.passPercent)}{' '}
            of {result.maxScore} pass.
            {result.timedOut && ' The time was over, and your answers were handed in as they were.'}
          </p>
          <NextStep overview={overview} passed={result.passed} />
        </div>
      </section>
      {result.questions ? (
        result.questions.length > 0 && <Explanations questions={result.questions} />
      ) : (
        <p className="mt-8 rounded-card bg-accent-soft px-5 py-4">
          You are in the middle of another attempt. Right answers and explanations show here again once it is handed in.
        </p>
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
  const { course, certificate, lessonsLeft, attemptsLeft, openAttemptId } = overview
  return (
    <div className="mt-5 flex flex-wrap items-center gap-3">
      {certificate && !certificate.revoked && (
        <ButtonLink to={`/Certificate/${certificate.id}`}>
          <Award aria-hidden="true" size={18} /> See your certificate
        </ButtonLink>
      )}
      {passed && !certificate && (
        <>
          <p>{lessonsLeft === 1 ? '1 lesson is' : `${lessonsLeft} lessons are`} still to do for the certificate.</p>
          <ButtonLink to={`/Learn/${course.id}`}>Continue learning</ButtonLink>
        </>
      )}
      {openAttemptId && <ButtonLink to={`/Exam/${course.id}`}>Go on with your attempt</ButtonLink>}
      {!passed && !openAttemptId && attemptsLeft > 0 && <ButtonLink to={`/Exam/${course.id}`}>Try again</ButtonLink>}
      {!passed && (
        <ButtonLink to={`/Learn/${course.id}`} look="secondary">
          Back to the lessons
        </ButtonLink>
      )}
      <Link to={`/Exam/${course.id}`} className="inline-flex min-h-11 items-center px-2 font-semibold">
        All attempts
      </Link>
    </div>
  )
}

function Explanations({ questions }: { questions: readonly JudgedQuestion[] }) {
  return (
    <section aria-labelledby="explanations" className="mt-10">
      <h2 id="explanations" className="font-bold text-xl">
        Question by question
      </h2>
      <ol className="mt-4 grid gap-4">
        {questions.map((question, index) => (
          <li key={question.prompt} className="card p-5 sm:p-6">
            <p className={`flex items-center gap-2 font-semibold ${question.right ? 'text-good' : 'text-bad'}`}>
              {question.right ? <Check aria-hidden="true" size={18} /> : <X aria-hidden="true" size={18} />}
              {question.right ? 'Right' : question.given ? 'Wrong' : 'Not answered'}
            </p>
            <h3 className="mt-2 font-semibold text-lg leading-snug">
              {index + 1}. {question.prompt}
            </h3>
            <dl className="mt-4 grid gap-4 sm:grid-cols-2">
              {!question.right && question.given && (
                <Answer name="Your answer" texts={question.given} ordered={question.ordered} />
              )}
              <Answer
                name={question.right ? 'Your answer' : 'Right answer'}
                texts={question.right && question.given ? question.given : question.expected}
                ordered={question.ordered}
              />
            </dl>
            <p className="mt-4 border-accent border-l-2 pl-4 text-muted">{question.explanation}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Answer({ name, texts, ordered }: { name: string; texts: readonly string[]; ordered: boolean }) {
  const List = ordered ? 'ol' : 'ul'
  return (
    <div>
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="mt-0.5 font-medium">
        {texts.length === 1 ? (
          texts[0]
        ) : (
          <List className={`pl-5 ${ordered ? 'list-decimal' : 'list-disc'}`}>
            {texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </List>
        )}
      </dd>
    </div>
  )
}
