/** /Desk/Reviews: the reviews by learners, which staff can answer, hide and show again. */
import { Link } from 'react-router'
import { handleDeskForm } from '~/features/desk/desk-form.server'
import { ActionForm, CollapsedActionForm, FilterForm } from '~/features/desk/desk-forms'
import { DeskPage, revalidateEvenAfterRefusal } from '~/features/desk/desk-page'
import { Badge, Day, DeskTitle, EmptyState } from '~/features/desk/desk-parts'
import { requireDesk } from '~/features/desk/desk-request.server'
import {
  loadReviewsPage,
  type ReviewsPageData,
  reviewsActions,
} from '~/features/desk/reviews/reviews-page.server'
import { reportReasonTexts } from '~/features/reviews/reports/report-messages'
import { createClientAction } from '~/ui/form/client-action'
import { Field, SelectField, TextAreaField } from '~/ui/form/field'
import { byCount } from '~/ui/format-count'
import { Pager } from '~/ui/pager'
import { Stars } from '~/ui/stars'
import type { Route } from './+types/reviews'

export async function loader(args: Route.LoaderArgs) {
  const desk = await requireDesk(args, 'answer reviews')
  return loadReviewsPage(desk)
}

export async function action(args: Route.ActionArgs) {
  const desk = await requireDesk(args, 'answer reviews')
  return handleDeskForm(args.request, desk, reviewsActions)
}

export const clientAction = createClientAction<typeof action>()

export const shouldRevalidate = revalidateEvenAfterRefusal

export default function ReviewsRoute({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <DeskPage result={actionData}>
      <ReviewsView {...loaderData} />
    </DeskPage>
  )
}

type Review = ReviewsPageData['rows'][number]

function ReviewsView({ filter, rows, next, canModerate, reportedCount }: ReviewsPageData) {
  return (
    <>
      <DeskTitle intro={canModerate ? moderatorIntro : teacherIntro}>Reviews</DeskTitle>
      <FilterForm>
        <SelectField label="State" name="state" defaultValue={filter.status}>
          <option value="">Any</option>
          {canModerate && (
            <option value="reported">
              {reportedCount > 0 ? `Reported (${reportedCount})` : 'Reported'}
            </option>
          )}
          <option value="unanswered">Written, without an answer</option>
          <option value="low">One or two stars</option>
          {canModerate && <option value="hidden">Hidden</option>}
        </SelectField>
        <Field label="Course (its ID)" name="course" defaultValue={filter.courseId} />
      </FilterForm>
      {rows.length === 0 ? (
        <EmptyState>
          {filter.status === 'reported' ? 'There are no open reports.' : 'No review matches.'}
        </EmptyState>
      ) : (
        <ul className="grid gap-3">
          {rows.map((review) => (
            <ReviewItem key={review.id} review={review} canModerate={canModerate} />
          ))}
        </ul>
      )}
      <Pager next={next} />
    </>
  )
}

const moderatorIntro =
  'Learners’ reviews, the reported ones first, then the newest. Hidden reviews aren’t shown anywhere, and don’t count toward ratings.'

const teacherIntro = 'Reviews of your courses, newest first. Your answer is shown below the review.'

function ReviewItem({ review, canModerate }: { review: Review; canModerate: boolean }) {
  const { id, courseId, courseTitle, rating, comment, isHidden, cursorAt, openReports } = review
  const values = { course: courseId, review: id }

  return (
    <li className="card grid gap-3 p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars rating={rating} />
        <Author review={review} />
        <span className="text-muted text-sm">
          <Link to={`/Desk/Courses/${courseId}`} className="underline">
            {courseTitle}
          </Link>
          , <Day at={cursorAt} />
        </span>
        {isHidden && <Badge variant="warn">Hidden</Badge>}
        {openReports > 0 && (
          <Badge variant="bad">
            {byCount(openReports, 'Reported once', `Reported ${openReports} times`)}
          </Badge>
        )}
      </div>
      {comment && (
        <p dir="auto" className="max-w-[68ch] whitespace-pre-line [overflow-wrap:anywhere]">
          {comment}
        </p>
      )}
      {isHidden && review.hiddenReason && (
        <p className="text-muted text-sm">{review.hiddenReason}</p>
      )}
      {openReports > 0 && <ReportReasons review={review} />}
      {review.answer && (
        <div className="rounded-control bg-sunken p-4">
          <p className="text-muted text-sm">
            {isHidden ? 'The instructor’s answer, hidden too' : 'The instructor’s answer'}
          </p>
          <p dir="auto" className="mt-1 max-w-[68ch] whitespace-pre-line [overflow-wrap:anywhere]">
            {review.answer}
          </p>
        </div>
      )}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {openReports > 0 && (
          <ActionForm intent="dismiss" buttonText="Keep it" hiddenValues={values} />
        )}
        {isHidden && canModerate && (
          <ActionForm intent="show" buttonText="Show again" hiddenValues={values} />
        )}
        {review.answer && (
          <ActionForm intent="remove-answer" buttonText="Remove the answer" hiddenValues={values} />
        )}
      </div>
      {!isHidden && <AnswerForm review={review} values={values} />}
      {!isHidden && canModerate && (
        <CollapsedActionForm
          title="Hide this review"
          intent="hide"
          buttonText="Hide"
          variant="danger"
          hiddenValues={values}
        >
          <Field
            label="Reason"
            name="reason"
            required
            maxLength={500}
            hint="The author will read it."
          />
        </CollapsedActionForm>
      )}
    </li>
  )
}

function Author({ review: { uid, name } }: { review: Review }) {
  if (uid === null) {
    return <bdi className="font-medium">{name ?? 'Anonymous'}</bdi>
  }

  return (
    <Link to={`/Desk/People/${uid}`} className="link">
      <bdi>{name}</bdi>
    </Link>
  )
}

/** Lists the reasons of the reports, without the names of the learners. */
function ReportReasons({ review: { reportReasons } }: { review: Review }) {
  return (
    <ul className="list-disc pl-5 text-sm marker:text-edge">
      {reportReasons.map(({ reason, comment }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: anonymous reports have no ID here, and their order doesn't change.
        <li key={index}>
          {reportReasonTexts[reason]}
          {comment && (
            <span
              dir="auto"
              className="block whitespace-pre-line text-muted [overflow-wrap:anywhere]"
            >
              {comment}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

function AnswerForm({
  review: { answer },
  values,
}: {
  review: Review
  values: { course: string; review: string }
}) {
  return (
    <CollapsedActionForm
      title={answer ? 'Change the answer' : 'Answer as the instructor'}
      intent="answer"
      buttonText={answer ? 'Change the answer' : 'Answer'}
      variant="primary"
      hiddenValues={values}
    >
      <TextAreaField
        label="Answer"
        name="answer"
        dir="auto"
        required
        maxLength={2000}
        defaultValue={answer ?? ''}
        hint="Everybody can read it on the course’s page, with the instructor’s name."
      />
    </CollapsedActionForm>
  )
}
