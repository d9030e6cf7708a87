/** /Desk/Preview/:course/~exam: all questions of a course’s exam, with their correct answers. */
import { questionKinds } from '~/features/courses/questions/question-kinds'
import {
  type ExamPreviewPageData,
  loadExamPreviewPage,
} from '~/features/desk/courses/preview-pages.server'
import { coursePreviewPath } from '~/features/desk/courses/preview-paths'
import { DeskPage } from '~/features/desk/desk-page'
import { DeskTitle } from '~/features/desk/desk-parts'
import {
  requireDesk,
  requirePageData,
  respondUnknownPage,
} from '~/features/desk/desk-request.server'
import { formatTimeLimit } from '~/features/exams/exam-messages'
import { Explanation } from '~/features/exams/result/graded-questions'
import { formatNumber } from '~/ui/format-count'
import { Formulas, FormulaText } from '~/ui/formula-text'
import { Notice } from '~/ui/notice'
import type { Route } from './+types/exam-preview'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'see courses')
  return requirePageData(await loadExamPreviewPage(desk))
}

export const action = respondUnknownPage

export default function ExamPreviewRoute({ loaderData }: Route.ComponentProps) {
  return (
    <DeskPage>
      <ExamPreviewView {...loaderData} />
    </DeskPage>
  )
}

/** Shows all questions that an attempt may draw, each with its correct answer. */
function ExamPreviewView({ course, exam, questions, formulas }: ExamPreviewPageData) {
  return (
    <Formulas html={formulas}>
      <Notice variant="info" silent className="mb-6">
        Learners see the answers after their attempt. Here, no attempt begins, and nothing is
        stored.
      </Notice>
      <DeskTitle
        parentPage={{ to: coursePreviewPath(course.id), label: course.title }}
        intro={describeRules(exam, questions.length)}
      >
        {exam.title}
      </DeskTitle>
      <ol className="grid gap-4">
        {questions.map((question, index) => (
          <Question key={question.id} question={question} number={index + 1} />
        ))}
      </ol>
    </Formulas>
  )
}

function describeRules(
  { draw, timeLimitMinutes, passPercent }: ExamPreviewPageData['exam'],
  questionCount: number,
): string {
  return `An attempt draws ${formatNumber(draw)} of these ${formatNumber(questionCount)} questions, has ${formatTimeLimit(timeLimitMinutes)}, and is passed with ${passPercent}%.`
}

function Question({
  question,
  number,
}: {
  question: ExamPreviewPageData['questions'][number]
  number: number
}) {
  const { type, prompt, options, solution } = question
  const { hint, isAnsweredByOrder } = questionKinds[type]

  return (
    <li className="card p-5 [overflow-wrap:anywhere] sm:p-6">
      <h2 className="font-semibold text-lg leading-snug">
        {number}. <FormulaText text={prompt} />
      </h2>
      <p className="mt-1 text-muted">{hint}</p>
      {/* The correct answer below lists the items of an ordering in their correct order. */}
      {options.length > 0 && !isAnsweredByOrder && (
        <ul className="mt-3 grid list-disc gap-1 pl-5 marker:text-edge">
          {options.map((option) => (
            <li key={option}>
              <FormulaText text={option} />
            </li>
          ))}
        </ul>
      )}
      <Explanation solution={solution} isRight={false} />
    </li>
  )
}
