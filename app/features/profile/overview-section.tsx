import {
  Activity as ActivityIcon,
  Award,
  BookOpen,
  CircleCheckBig,
  Clock,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { hasPractice } from '~/features/learning/practice/practice-data'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { formatNumber } from '~/ui/format-count'
import { Notice } from '~/ui/notice'
import { ActivityList, OlderActivities } from './activity-list'
import { EnrolledCourseRow } from './enrolled-course-row'
import { type LearnerRecord, maxOverviewCourses, maxRecentActivities } from './learner-record'
import { PracticeCard } from './practice-card'
import { RecordErrorNotice, SectionHeading } from './profile-layout'
import { profileMessages } from './profile-messages'
import { StreakCard } from './streak-card'
import { StudyChart } from './study-chart'
import { WeeklyGoalCard } from './study-plan/weekly-goal-card'

const visibleActivityCount = 6

type OverviewSectionProps = {
  firstName: string
  emailVerified: boolean
  /** Whether a name from Google or Facebook was too long and was shortened. */
  wasNameShortened: boolean
  /** Null if the record could not be loaded. */
  record: LearnerRecord | null
  now: Date
}

export function OverviewSection({
  firstName,
  emailVerified,
  wasNameShortened,
  record,
  now,
}: OverviewSectionProps) {
  return (
    <>
      <SectionHeading intro={getIntro(record)}>
        {record?.isReturning ? 'Welcome back' : 'Welcome'}, <bdi>{firstName}</bdi>
      </SectionHeading>
      <div className="grid gap-5 lg:gap-6">
        {record?.totalCourses === 0 && wasNameShortened && (
          <Notice variant="info">
            Your name was too long, so we shortened it.{' '}
            <Link to="/Profile/settings" className="link">
              Check it in Settings
            </Link>
          </Notice>
        )}
        {!emailVerified && (
          <Notice variant="info">
            Certificates need a confirmed email address.{' '}
            <Link to="/ConfirmEmail" className="link">
              Confirm your address
            </Link>
          </Notice>
        )}
        {record ? (
          <OverviewCards record={record} now={now} />
        ) : (
          <>
            <RecordErrorNotice />
            <StatFigures stats={getProfileStats(null)} />
          </>
        )}
      </div>
    </>
  )
}

function getIntro(record: LearnerRecord | null): string {
  if (!record) {
    return profileMessages.intros.recordNotLoaded
  }

  if (record.totalCourses === 0) {
    return profileMessages.intros.noCourses
  }

  if (record.openCourses > 0) {
    return profileMessages.intros.inProgress(record.openCourses)
  }

  return record.enrolledCourses.some(({ examDue }) => examDue)
    ? profileMessages.intros.onlyExamsLeft
    : profileMessages.intros.allCompleted
}

/**
 * Shows the cards of the overview, the most important first: what to do today, then past activity.
 * On wide screens, the small cards are in a column of their own, and the last of them fills the
 * rest of the column.
 */
function OverviewCards({ record, now }: { record: LearnerRecord; now: Date }) {
  const { studyDays, currentStreakDays, achievementStatistics, today } = record
  const practice = record.practice && hasPractice(record.practice) ? record.practice : null
  const studiedDays = studyDays.filter(({ hasStudied }) => hasStudied).map(({ day }) => day)

  return (
    <div className="grid gap-5 lg:gap-6 xl:grid-cols-[minmax(0,1fr)_20rem] xl:grid-rows-[auto_auto_1fr]">
      {record.totalCourses === 0 ? <FirstSteps /> : <ContinueLearning record={record} now={now} />}
      <div className="grid content-start gap-5 md:grid-cols-2 lg:gap-6 xl:col-start-2 xl:row-span-3 xl:row-start-1 xl:flex xl:flex-col">
        {practice && <PracticeCard practice={practice} today={today} />}
        <WeeklyGoalCard plan={record.studyPlan} studiedDays={studiedDays} today={today} />
        <StreakCard
          currentDays={currentStreakDays}
          longestDays={achievementStatistics.longestStreakDays}
          days={studyDays}
        />
        <div className={`grid xl:flex-1 ${practice ? '' : 'md:col-span-2'}`}>
          <RecentActivity record={record} now={now} />
        </div>
      </div>
      <StatFigures stats={getProfileStats(record)} />
      <StudyChart days={studyDays} hasStudied={achievementStatistics.longestStreakDays > 0} />
    </div>
  )
}

function RecentActivity({ record, now }: { record: LearnerRecord; now: Date }) {
  const { recentActivities, displayTimezone: timezone } = record

  return (
    <Panel title="Recent activity" id="recent-activity">
      {recentActivities.length === 0 ? (
        <div className="grid flex-1">
          <EmptyState icon={<ActivityIcon />} title={profileMessages.noActivity.title}>
            {profileMessages.noActivity.text}
          </EmptyState>
        </div>
      ) : (
        <>
          <ActivityList
            activities={recentActivities.slice(0, visibleActivityCount)}
            timezone={timezone}
            now={now}
          />
          <OlderActivities
            hiddenActivities={recentActivities.slice(visibleActivityCount)}
            hasOlder={recentActivities.length === maxRecentActivities}
            timezone={timezone}
            now={now}
          />
        </>
      )}
    </Panel>
  )
}

/** Shows the latest courses with an unfinished lesson or exam. */
function ContinueLearning({ record, now }: { record: LearnerRecord; now: Date }) {
  const openCourses = record.enrolledCourses
    .filter((course) => !course.completedAt || course.examDue)
    .slice(0, maxOverviewCourses)

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
      {openCourses.length === 0 ? (
        <div className="grid flex-1">
          <EmptyState
            icon={<BookOpen />}
            title={profileMessages.nothingToContinue.title}
            action={<ButtonLink to="/AllCourses">Browse courses</ButtonLink>}
          >
            {profileMessages.nothingToContinue.text}
          </EmptyState>
        </div>
      ) : (
        <ul className="grid gap-6">
          {openCourses.map((course, index) => (
            <li key={course.id} className="border-line border-t pt-6 first:border-t-0 first:pt-0">
              <EnrolledCourseRow
                course={course}
                timezone={record.displayTimezone}
                now={now}
                isSuggested={index === 0 && !course.completedAt}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

type PanelProps = { title: string; id: string; action?: ReactNode; children: ReactNode }

function Panel({ title, id, action, children }: PanelProps) {
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

const firstSteps = [
  { title: 'Find a course', text: 'Preview a few lessons, then enroll. It takes one click.' },
  { title: 'Finish your first lesson', text: 'Most take a few minutes, and we keep your place.' },
  {
    title: 'Set a weekly goal',
    text: 'Choose your days in Settings, with a reminder if you like.',
  },
] as const

/** Explains to a learner without courses how to begin. */
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
          {firstSteps.map(({ title, text }, index) => (
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

type ProfileStats = Pick<
  LearnerRecord,
  'totalCourses' | 'completedCourses' | 'certificatesEarned' | 'studyHours'
>

/** The specification defines these defaults for a record without the fields. */
const defaultStats: ProfileStats = {
  totalCourses: 5,
  completedCourses: 2,
  certificatesEarned: 2,
  studyHours: 127,
}

/** Fills missing fields with the specification's defaults. A stored 0 stays 0. */
export function getProfileStats(record: Partial<ProfileStats> | null): ProfileStats {
  return {
    totalCourses: record?.totalCourses ?? defaultStats.totalCourses,
    completedCourses: record?.completedCourses ?? defaultStats.completedCourses,
    certificatesEarned: record?.certificatesEarned ?? defaultStats.certificatesEarned,
    studyHours: record?.studyHours ?? defaultStats.studyHours,
  }
}

function StatFigures({ stats }: { stats: ProfileStats }) {
  const figures: { label: string; value: number; icon: LucideIcon }[] = [
    { label: 'Total Courses', value: stats.totalCourses, icon: BookOpen },
    { label: 'Completed', value: stats.completedCourses, icon: CircleCheckBig },
    { label: 'Certificates', value: stats.certificatesEarned, icon: Award },
    { label: 'Study Hours', value: stats.studyHours, icon: Clock },
  ]

  return (
    <dl className="card grid grid-cols-2 overflow-hidden xl:grid-cols-4">
      {figures.map(({ label, value, icon: Icon }) => (
        <div
          key={label}
          className="-mt-px -ml-px flex flex-col-reverse justify-end gap-1 border-line border-t border-l px-5 py-5 sm:px-6 xl:px-4"
        >
          <dt className="flex items-center gap-1.5 text-muted text-sm">
            <Icon aria-hidden="true" size={16} className="shrink-0 text-accent" />
            {label}
          </dt>
          <dd className="font-bold text-3xl tabular-nums tracking-tight sm:text-4xl">
            {formatNumber(value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}
