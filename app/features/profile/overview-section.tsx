import { Activity as ActivityIcon, BookOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { PracticeCard } from '~/features/learning/practice/practice-card'
import { hasPractice } from '~/features/learning/practice/practice-data'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { Notice } from '~/ui/notice'
import { ActivityList, OlderActivities } from './activity-list'
import { EnrolledCourseRow } from './enrolled-course-row'
import { type LearnerRecord, openCoursesShown, recentActivityLimit } from './learner-record'
import { RecordNotice, SectionHeading } from './profile-layout'
import {
  confirmAddress,
  intros,
  nameWasShortened,
  noActivity,
  nothingToContinue,
  welcome,
} from './profile-messages'
import { profileStats, StatFigures } from './profile-stats'
import { StreakCard } from './streak-card'
import { StudyChart } from './study-chart'
import { WeeklyGoalCard } from './study-plan/weekly-goal-card'

const activitiesShown = 6

type OverviewSectionProps = {
  firstName: string
  emailVerified: boolean
  /** A name from Google or Facebook that was too long. */
  nameWasCut: boolean
  record: LearnerRecord | null
  now: Date
}

/** @param record null when it could not be read just now. */
export function OverviewSection({
  firstName,
  emailVerified,
  nameWasCut,
  record,
  now,
}: OverviewSectionProps) {
  return (
    <>
      <SectionHeading intro={intro(record)}>
        {welcome(<bdi>{firstName}</bdi>, record?.isReturning ?? false)}
      </SectionHeading>
      <div className="grid gap-5 lg:gap-6">
        {record?.totalCourses === 0 && nameWasCut && (
          <Notice variant="info">
            {nameWasShortened((words) => (
              <Link to="/Profile/settings" className="link">
                {words}
              </Link>
            ))}
          </Notice>
        )}
        {!emailVerified && (
          <Notice variant="info">
            {confirmAddress((words) => (
              <Link to="/ConfirmEmail" className="link">
                {words}
              </Link>
            ))}
          </Notice>
        )}
        {record ? (
          <Details record={record} now={now} />
        ) : (
          <>
            <RecordNotice />
            <StatFigures stats={profileStats(null)} />
          </>
        )}
      </div>
    </>
  )
}

function intro(record: LearnerRecord | null): string {
  if (!record) {
    return intros.unread
  }

  if (record.totalCourses === 0) {
    return intros.first
  }

  if (record.openCourses > 0) {
    return intros.open(record.openCourses)
  }

  return record.enrolledCourses.some(({ examDue }) => examDue)
    ? intros.examDue
    : intros.allCompleted
}

/**
 * In the order of their weight: what to do today first, then how it went. On wide screens the small
 * cards stand in a column of their own, whose last card grows, so that neither column has a hole
 * beside a long card of the other.
 */
function Details({ record, now }: { record: LearnerRecord; now: Date }) {
  const {
    displayTimezone: timezone,
    studyDays,
    currentStreakDays,
    achievementFacts,
    today,
  } = record
  const practice = record.practice && hasPractice(record.practice) ? record.practice : null
  const learnedDays = studyDays.filter(({ learned }) => learned).map(({ day }) => day)

  return (
    <div className="grid gap-5 lg:gap-6 xl:grid-cols-[minmax(0,1fr)_20rem] xl:grid-rows-[auto_auto_1fr]">
      {record.totalCourses === 0 ? <FirstSteps /> : <Continue record={record} now={now} />}
      <div className="grid content-start gap-5 md:grid-cols-2 lg:gap-6 xl:col-start-2 xl:row-span-3 xl:row-start-1 xl:flex xl:flex-col">
        {practice && <PracticeCard today={practice} day={today} />}
        <WeeklyGoalCard plan={record.studyPlan} learnedDays={learnedDays} day={today} />
        <StreakCard
          currentDays={currentStreakDays}
          longestDays={achievementFacts.longestStreakDays}
          days={studyDays}
        />
        <div className={`grid xl:flex-1 ${practice ? '' : 'md:col-span-2'}`}>
          <RecentActivity record={record} timezone={timezone} now={now} />
        </div>
      </div>
      <StatFigures stats={profileStats(record)} />
      <StudyChart days={studyDays} started={achievementFacts.longestStreakDays > 0} />
    </div>
  )
}

function RecentActivity({
  record,
  timezone,
  now,
}: {
  record: LearnerRecord
  timezone: string
  now: Date
}) {
  return (
    <Panel title="Recent activity" id="recent-activity">
      {record.recentActivities.length === 0 ? (
        <div className="grid flex-1">
          <EmptyState icon={<ActivityIcon />} title={noActivity.title}>
            {noActivity.text}
          </EmptyState>
        </div>
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
  )
}

/** The courses that were opened last and in which something is left to do. */
function Continue({ record, now }: { record: LearnerRecord; now: Date }) {
  const open = record.enrolledCourses
    .filter((course) => !course.completedAt || course.examDue)
    .slice(0, openCoursesShown)
  return (
    <Panel
      title="Continue learning"
      id="continue-learning"
      action={
        <Link
          to="/Profile/current-courses"
          className="inline-flex min-h-8 items-center font-semibold text-accent hover:underline"
        >
          All your courses
        </Link>
      }
    >
      {open.length === 0 ? (
        <div className="grid flex-1">
          <EmptyState
            icon={<BookOpen />}
            title={nothingToContinue.title}
            action={<ButtonLink to="/AllCourses">Browse courses</ButtonLink>}
          >
            {nothingToContinue.text}
          </EmptyState>
        </div>
      ) : (
        <ul className="grid gap-6">
          {open.map((course, index) => (
            <li key={course.id} className="border-line border-t pt-6 first:border-t-0 first:pt-0">
              <EnrolledCourseRow
                course={course}
                timezone={record.displayTimezone}
                now={now}
                main={index === 0 && !course.completedAt}
              />
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
    <section aria-labelledby={id} className="card flex flex-col p-5 sm:p-6">
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

const steps = [
  { title: 'Find a course', text: 'Preview a few lessons, then enroll. It takes one click.' },
  { title: 'Finish your first lesson', text: 'Most take a few minutes, and we keep your place.' },
  {
    title: 'Set a weekly goal',
    text: 'Choose your days in Settings, with a reminder if you like.',
  },
] as const

/** The first visit: the first step, and the ones after it. */
function FirstSteps() {
  return (
    <section aria-labelledby="first-steps" className="card overflow-hidden">
      <div className="p-5 sm:p-8">
        <h2 id="first-steps" className="font-bold text-2xl">
          Start with a course
        </h2>
        <p className="mt-2 max-w-xl text-muted">
          Your courses, scores and certificates will appear here as you learn. Here’s how to begin.
        </p>
        <ol className="mt-6 grid gap-5 md:grid-cols-3 xl:mt-8 xl:grid-cols-1 xl:gap-7">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="flex gap-4 md:block xl:flex">
              <span
                aria-hidden="true"
                className={`grid size-9 shrink-0 place-items-center rounded-full font-bold tabular-nums ${index === 0 ? 'bg-accent text-on-accent' : 'bg-accent-soft text-accent-strong'}`}
              >
                {index + 1}
              </span>
              <div className="min-w-0 md:mt-3 xl:mt-0">
                <h3 className="font-semibold tracking-normal">{title}</h3>
                <p className="mt-1 text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ol>
        <ButtonLink to="/AllCourses" className="mt-7 w-full sm:w-auto xl:mt-9">
          Browse courses
        </ButtonLink>
      </div>
    </section>
  )
}
