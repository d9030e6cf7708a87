import { Activity as ActivityIcon, BookOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '~/ui/button'
import { countText } from '~/ui/count-text'
import { EmptyState } from '~/ui/empty-state'
import { ActivityList } from './activity-list'
import { EnrolledCourseRow } from './enrolled-course-row'
import { type LearnerRecord, openCoursesShown, recentActivityLimit } from './learner-record'
import { OlderActivities } from './older-activities'
import { SectionHeading } from './profile-layout'
import { profileStats } from './profile-stats'
import { RecordNotice } from './record-notice'
import { StatFigures } from './stat-figures'
import { StreakCard } from './streak-card'
import { StudyChart } from './study-chart'

const activitiesShown = 6

type OverviewSectionProps = { firstName: string; record: LearnerRecord | null; now: Date }

/** @param record null when it could not be read just now. */
export function OverviewSection({ firstName, record, now }: OverviewSectionProps) {
  const started = (record?.totalCourses ?? 1) > 0
  return (
    <>
      <SectionHeading intro={intro(record)}>
        {started ? 'Welcome back, ' : 'Welcome, '}
        <bdi>{firstName}</bdi>
      </SectionHeading>
      <div className="grid gap-5 lg:gap-6">
        {!record && <RecordNotice />}
        <StatFigures stats={profileStats(record)} />
        {record && <Details record={record} now={now} />}
      </div>
    </>
  )
}

function intro(record: LearnerRecord | null): string {
  if (!record) return 'Here’s where you stand.'
  if (record.totalCourses === 0) return 'Your courses, scores and certificates will appear here as you learn.'
  const open = record.openCourses
  if (open === 0) return 'You’ve completed all your courses. What’s next?'
  return `You have ${countText(open, 'course')} in progress.`
}

/** Two columns that stand in pairs, so that a phone reads them in the order of their weight. */
function Details({ record, now }: { record: LearnerRecord; now: Date }) {
  const { displayTimezone: timezone, studyDays, currentStreakDays, achievementFacts } = record
  return (
    <div className="grid gap-5 lg:gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <StudyChart days={studyDays} started={achievementFacts.longestStreakDays > 0} />
      <StreakCard currentDays={currentStreakDays} longestDays={achievementFacts.longestStreakDays} days={studyDays} />
      <Continue record={record} now={now} />
      <Panel title="Recent activity" id="recent-activity">
        {record.recentActivities.length === 0 ? (
          <EmptyState icon={<ActivityIcon />} title="No activity yet">
            Lessons you finish, quizzes you answer and certificates you earn will appear here.
          </EmptyState>
        ) : (
          <>
            <ActivityList
              activities={record.recentActivities.slice(0, activitiesShown)}
              timezone={timezone}
              now={now}
            />
            <OlderActivities
              known={record.recentActivities.slice(activitiesShown)}
              more={record.recentActivities.length === recentActivityLimit}
              timezone={timezone}
              now={now}
            />
          </>
        )}
      </Panel>
    </div>
  )
}

/** The courses that were opened last and are not finished. */
function Continue({ record, now }: { record: LearnerRecord; now: Date }) {
  const open = record.enrolledCourses.filter((course) => !course.completedAt).slice(0, openCoursesShown)
  return (
    <Panel
      title="Continue learning"
      id="continue-learning"
      action={
        record.totalCourses > 0 && (
          <Link
            to="/Profile/current-courses"
            className="inline-flex min-h-8 items-center font-semibold text-accent hover:underline"
          >
            All your courses
          </Link>
        )
      }
    >
      {open.length === 0 ? (
        <EmptyState
          icon={<BookOpen />}
          title={record.totalCourses === 0 ? 'Your first course is one click away' : 'Nothing left to continue'}
          action={<ButtonLink to="/AllCourses">Browse courses</ButtonLink>}
        >
          {record.totalCourses === 0
            ? 'Enroll in a course, then pick up here where you left off.'
            : 'You’ve completed every course you enrolled in. Pick your next one.'}
        </EmptyState>
      ) : (
        <ul className="grid gap-6">
          {open.map((course, index) => (
            <li key={course.id} className="border-line border-t pt-6 first:border-t-0 first:pt-0">
              <EnrolledCourseRow course={course} timezone={record.displayTimezone} now={now} main={index === 0} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Panel({
  title,
  id,
  action,
  children,
}: {
  title: string
  id: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-labelledby={id} className="card p-5 sm:p-6">
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={id} className="font-bold text-lg">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}
