import { Check, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useNavigationType } from 'react-router'
import { FormulaText } from '~/ui/formula-text'
import { Notice } from '~/ui/notice'
import { ProgressBar } from '~/ui/progress-bar'
import {
  answersRule,
  attemptUnderWay,
  correctCount,
  sectionScoreLabel,
  verdict,
} from '../exam-messages'
import {
  type ExamOverview,
  isCertificateWaiting,
  type JudgedQuestion,
  type ResultData,
  type Solution,
} from '../exam-page-data'
import type { SectionScore } from './result-queries.server'
import { ResultSummary } from './result-summary'

type ExamResultViewProps = {
  overview: ExamOverview
  result: ResultData
  waitingCertificate: ReactNode
}

/** The result of an attempt; question by question once answers are shown. */
export function ExamResultView({ overview, result, waitingCertificate }: ExamResultViewProps) {
  const { exam } = overview
  return (
    <div className="column max-w-4xl py-10 sm:py-14">
      <p className="eyebrow">{exam.title}</p>
      <Verdict passed={result.passed} />
      <ResultSummary overview={overview} result={result} />
      {isCertificateWaiting(overview) && <div className="mt-6">{waitingCertificate}</div>}
      {result.sections.length > 0 && <Sections sections={result.sections} />}
      {result.questions ? (
        result.questions.length > 0 && <Questions questions={result.questions} />
      ) : (
        <Notice variant="info" className="mt-8">
          {overview.passed && overview.openAttemptId
            ? attemptUnderWay
            : answersRule(exam.attemptsWithinDays !== null)}
        </Notice>
      )}
    </div>
  )
}

/** Has the focus after submitting, so that a screen reader reads it first. */
function Verdict({ passed }: { passed: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const opened = useNavigationType() === 'POP'
  useEffect(() => {
    if (!opened) {
      heading.current?.focus()
    }
  }, [opened])

  return (
    <h1 ref={heading} tabIndex={-1} className="title mt-2 outline-none">
      {verdict(passed)}
    </h1>
  )
}

function Sections({ sections }: { sections: readonly SectionScore[] }) {
  return (
    <section aria-labelledby="sections" className="mt-10">
      <h2 id="sections" className="font-bold text-xl">
        Score by section
      </h2>
      <ul className="card mt-4 divide-y divide-line">
        {sections.map(({ title, right, total }) => (
          <li
            key={title}
            className="grid items-center gap-x-6 gap-y-2 px-5 py-4 sm:grid-cols-[1fr_12rem_auto]"
          >
            <span className="font-semibold">{title}</span>
            <ProgressBar
              percent={Math.floor((right * 100) / total)}
              label={sectionScoreLabel(title)}
            />
            <span className="text-muted tabular-nums sm:min-w-28 sm:text-right">
              {correctCount(right, total)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const verdicts = {
  right: { text: 'Correct', Icon: Check, className: 'text-good' },
  wrong: { text: 'Incorrect', Icon: X, className: 'text-bad' },
  unanswered: { text: 'Not answered', Icon: X, className: 'text-bad' },
} as const

function Questions({ questions }: { questions: readonly JudgedQuestion[] }) {
  return (
    <section aria-labelledby="questions" className="mt-10">
      <h2 id="questions" className="font-bold text-xl">
        Question by question
      </h2>
      <ol className="mt-4 grid gap-4">
        {questions.map((question, index) => (
          <Question key={question.prompt} question={question} number={index + 1} />
        ))}
      </ol>
    </section>
  )
}

function Question({ question, number }: { question: JudgedQuestion; number: number }) {
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
      <Explanation solution={question.solution} right={question.verdict === 'right'} />
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

/** The right answer, unless it was given, and why. */
export function Explanation({ solution, right }: { solution: Solution; right: boolean }) {
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

function Answer({
  name,
  texts,
  ordered,
}: {
  name: string
  texts: readonly string[]
  ordered: boolean
}) {
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
