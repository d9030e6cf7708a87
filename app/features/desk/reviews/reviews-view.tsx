import { Link } from 'react-router'
import { Field, SelectField } from '~/ui/field'
import { formatDate } from '~/ui/format-date'
import { Pager } from '~/ui/pager'
import { Stars } from '~/ui/stars'
import type { DataOf } from '../desk-pages.server'
import { ActForm, Badge, DeskTitle, FilterForm, FoldedAct, Nothing } from '../desk-parts'

type Reviews = DataOf<'reviews'>

export function ReviewsView({ filter, rows, next }: Reviews) {
  return (
    <>
      <DeskTitle intro="What learners wrote, the newest first. A hidden review is on no page and counts toward no rating.">
        Reviews
      </DeskTitle>
      <FilterForm>
        <SelectField label="State" name="state" defaultValue={filter.state}>
          <option value="">Any</option>
          <option value="low">One or two stars</option>
          <option value="hidden">Hidden</option>
        </SelectField>
        <Field label="Course (its ID)" name="course" defaultValue={filter.course} />
      </FilterForm>
      {rows.length === 0 ? (
        <Nothing>No review fits.</Nothing>
      ) : (
        <ul className="grid gap-3">
          {rows.map((review) => (
            <ReviewItem key={review.id} review={review} />
          ))}
        </ul>
      )}
      <Pager next={next} />
    </>
  )
}

function ReviewItem({ review }: { review: Reviews['rows'][number] }) {
  const { id, courseId, courseTitle, uid, name, rating, comment, hidden, hiddenReason, cursorAt } = review
  const values = { course: courseId, review: id }
  return (
    <li className="card grid gap-3 p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars rating={rating} />
        <Link to={`/Desk/People/${uid}`} className="link">
          <bdi>{name}</bdi>
        </Link>
        <span className="text-muted text-sm">
          <Link to={`/Desk/Courses/${courseId}`} className="underline">
            {courseTitle}
          </Link>
          , {formatDate(cursorAt)}
        </span>
        {hidden && <Badge look="warn">Hidden</Badge>}
      </div>
      {comment && (
        <p dir="auto" className="max-w-[68ch] whitespace-pre-line">
          {comment}
        </p>
      )}
      {hidden && hiddenReason && <p className="text-muted text-sm">{hiddenReason}</p>}
      {hidden ? (
        <ActForm act="show" button="Show again" values={values} />
      ) : (
        <FoldedAct name="Hide this review" act="hide" button="Hide" look="danger" values={values}>
          <Field label="Reason" name="reason" required maxLength={500} hint="Its author reads it." />
        </FoldedAct>
      )}
    </li>
  )
}
