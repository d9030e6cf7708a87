import { type ComponentType, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { confirmAddress } from '~/features/accounts/step-up/confirm-address'
import { type ActionResult, useLastingResult } from '~/ui/action-result'
import { lazyPart } from '~/ui/lazy-part'
import { Notice } from '~/ui/notice'
import { useFocusOnChange } from '~/ui/use-focus-on-change'
import { AnnouncementView } from './announcements/announcement-view'
import { AnnouncementsView } from './announcements/announcements-view'
import { NewAnnouncementView } from './announcements/new-announcement-view'
import { AuditView } from './audit/audit-view'
import { CouponView } from './coupons/coupon-view'
import { CouponsView } from './coupons/coupons-view'
import { CourseLearnersView } from './courses/course-learners-view'
import { CourseView } from './courses/course-view'
import { CoursesView } from './courses/courses-view'
import { LearnerProgressView } from './courses/learner-progress-view'
import type { DataOf, DeskPageName } from './desk-pages.server'
import { DeskContext } from './desk-parts'
import { GiftsView } from './gifts/gifts-view'
import { ImportView } from './import/import-view'
import { ImportsView } from './import/imports-view'
import type { DeskScreen } from './open-desk.server'
import { OrderView } from './orders/order-view'
import { OrdersView } from './orders/orders-view'
import { PeopleView } from './people/people-view'
import { PersonView } from './people/person-view'
import { ReviewsView } from './reviews/reviews-view'
import { SiteHistoryView } from './site/site-history-view'
import { SiteTextView } from './site/site-text-view'
import { SiteView } from './site/site-view'
import { StaffView } from './staff/staff-view'
import { TodayView } from './today/today-view'

/**
 * Loaded apart, because no other page of the desk needs the parts of a lesson. A Suspense boundary
 * would leave a gap in the server's page.
 */
const CoursePreviewView = lazyPart(() =>
  import('./courses/course-preview-view').then((module) => module.CoursePreviewView),
)

const ExamPreviewView = lazyPart(() =>
  import('./courses/exam-preview-view').then((module) => module.ExamPreviewView),
)

const views: { [Name in DeskPageName]: ComponentType<DataOf<Name>> } = {
  today: TodayView,
  people: PeopleView,
  imports: ImportsView,
  import: ImportView,
  person: PersonView,
  courses: CoursesView,
  course: CourseView,
  examPreview: ExamPreviewView,
  coursePreview: CoursePreviewView,
  courseLearners: CourseLearnersView,
  learnerProgress: LearnerProgressView,
  announcements: AnnouncementsView,
  newAnnouncement: NewAnnouncementView,
  announcement: AnnouncementView,
  orders: OrdersView,
  order: OrderView,
  coupons: CouponsView,
  coupon: CouponView,
  gifts: GiftsView,
  reviews: ReviewsView,
  staff: StaffView,
  site: SiteView,
  siteHistory: SiteHistoryView,
  siteText: SiteTextView,
  audit: AuditView,
}

export type DeskResult = (ActionResult<{ notice: string }> & { preview?: string }) | undefined

/** The desk's frame, with one of its pages. */
export function DeskView({
  screen: { shown, me },
  ...props
}: {
  screen: DeskScreen
  result: DeskResult
}) {
  const result = useLastingResult(props.result)
  const place = usePlace(result)
  const outcome = useRef<HTMLDivElement>(null)
  useFocusOnChange(result, outcome)
  // The table above has the view of each page's data.
  const View = views[shown.name] as ComponentType<typeof shown.data>
  const { pathname, search } = useLocation()

  return (
    <div className="column grid gap-6 py-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-10 lg:py-10">
      <nav aria-label="Desk" className="min-w-0 lg:sticky lg:top-24 lg:self-start">
        <ul className="-mx-3 flex flex-wrap gap-x-1 lg:mx-0 lg:grid lg:gap-1">
          {me.sections.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={currentOf(to, pathname)}
                className="flex min-h-11 items-center whitespace-nowrap rounded-control px-3 lg:px-3.5 font-medium text-muted no-underline hover:bg-sunken hover:text-ink aria-[current]:bg-accent-soft aria-[current]:text-accent-strong"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        <div ref={outcome} tabIndex={-1} className="outline-none">
          <Outcome result={result} here={pathname + search} />
        </div>
        <DeskContext
          value={{
            timeZone: me.timeZone,
            refused: result?.done === false ? result.typed : undefined,
            preview: result?.preview,
          }}
        >
          <View key={place} {...shown.data} />
        </DeskContext>
      </div>
    </div>
  )
}

/**
 * Changes with every navigation and act, so that forms are empty and closed again; not with a
 * refusal, which leaves them as they are.
 */
function usePlace(result: DeskResult): string {
  const { key } = useLocation()
  const [place, setPlace] = useState(key)
  if (place !== key && result?.done !== false) {
    setPlace(key)
  }

  return place
}

function currentOf(to: string, pathname: string): 'page' | 'true' | undefined {
  const [section, path] = [to.toLowerCase(), pathname.toLowerCase().replace(/\/$/, '')]
  if (path.startsWith('/desk/preview/')) {
    return section === '/desk/courses' ? 'true' : undefined
  }

  if (section === path) {
    return 'page'
  }

  return section !== '/desk' && path.startsWith(`${section}/`) ? 'true' : undefined
}

/** What the last act did. */
function Outcome({ result, here }: { result: DeskResult; here: string }) {
  if (!result || result.preview !== undefined) {
    return null
  }

  if (result.done) {
    return (
      <Notice look="good" className="mb-6">
        {result.notice}
      </Notice>
    )
  }

  const { form, confirm } = result.errors

  return (
    <Notice
      look="bad"
      className="mb-6"
      action={
        confirm && (
          <Link to={confirmAddress(here)} target="_blank" className="link">
            Confirm it’s you<span className="sr-only"> (opens a new tab)</span>
          </Link>
        )
      }
    >
      {confirm ?? form}
    </Notice>
  )
}
