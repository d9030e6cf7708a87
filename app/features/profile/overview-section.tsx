import {
  Activity as ActivityIcon,
  Award,
  BookOpen,
  BrainCircuit,
  CircleCheckBig,
  Clock,
  Flame,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  hasPractice,
  type PracticeToday,
  practiceMinutes,
} from '~/features/learning/practice/practice-data'
import { nextQuestionText, practiceMessages } from '~/features/learning/practice/practice-messages'
import type { StudyDay } from '~/features/learning/progress/study-time'
import { ButtonLink } from '~/ui/button'
import { EmptyState } from '~/ui/empty-state'
import { byCount, formatCount, formatNumber } from '~/ui/format-count'
import { formatWeekday } from '~/ui/format-date'
import type { Linked } from '~/ui/more-link'
import { Notice } from '~/ui/notice'
import { ActivityList, OlderActivities } from './activity-list'
import { EnrolledCourseRow } from './enrolled-course-row'
import { type LearnerRecord, maxOpenCourses, maxRecentActivities } from './learner-record'
import { RecordNotice, SectionHeading } from './profile-layout'
import { profileMessages } from './profile-messages'
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
        {formatWelcome(<bdi>{firstName}</bdi>, record?.isReturning ?? false)}
      </SectionHeading>
      <div className="grid gap-5 lg:gap-6">
        {record?.totalCourses === 0 && wasNameShortened && (
          <Notice variant="info">
            {shortenedNameNotice((linkText) => (
              <Link to="/Profile/settings" className="link">
                {linkText}
              </Link>
            ))}
          </Notice>
        )}
        {!emailVerified && (
          <Notice variant="info">
            {confirmEmailNotice((linkText) => (
              <Link to="/ConfirmEmail" className="link">
                {linkText}
              </Link>
            ))}
          </Notice>
        )}
        {record ? (
          <OverviewCards record={record} now={now} />
        ) : (
          <>
            <RecordNotice />
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
    return profileMessages.intros.open(record.openCourses)
  }

  return record.enrolledCourses.some(({ examDue }) => examDue)
    ? profileMessages.intros.examDue
    : profileMessages.intros.allCompleted
}

/**
 * Shows the cards of the overview, the most important first: what to do today, then past activity. On wide
 * screens the small cards have their own column. The last of them grows to fill the column.
 */
function OverviewCards({ record, now }: { record: LearnerRecord; now: Date }) {
  const {
    displayTimezone: timezone,
    studyDays,
    currentStreakDays,
    achievementStatistics,
    today,
  } = record
  const practice = record.practice && hasPractice(record.practice) ? record.practice : null
  const studiedDays = studyDays.filter(({ learned }) => learned).map(({ day }) => day)

  return (
    <div className="grid gap-5 lg:gap-6 xl:grid-cols-[minmax(0,1fr)_20rem] xl:grid-rows-[auto_auto_1fr]">
      {record.totalCourses === 0 ? <FirstSteps /> : <ContinueLearning record={record} now={now} />}
      <div className="grid content-start gap-5 md:grid-cols-2 lg:gap-6 xl:col-start-2 xl:row-span-3 xl:row-start-1 xl:flex xl:flex-col">
        {practice && <PracticeCard today={practice} day={today} />}
        <WeeklyGoalCard plan={record.studyPlan} studiedDays={studiedDays} today={today} />
        <StreakCard
          currentDays={currentStreakDays}
          longestDays={achievementStatistics.longestStreakDays}
          days={studyDays}
        />
        <div className={`grid xl:flex-1 ${practice ? '' : 'md:col-span-2'}`}>
          <RecentActivity record={record} timezone={timezone} now={now} />
        </div>
      </div>
      <StatFigures stats={getProfileStats(record)} />
      <StudyChart days={studyDays} hasStudied={achievementStatistics.longestStreakDays > 0} />
    </div>
  )
}

type RecentActivityProps = { record: LearnerRecord; timezone: string; now: Date }

function RecentActivity({ record, timezone, now }: RecentActivityProps) {
  return (
    <Panel title="Recent activity" id="recent-activity">
      {record.recentActivities.length === 0 ? (
        <div className="grid flex-1">
          <EmptyState icon={<ActivityIcon />} title={profileMessages.noActivity.title}>
            {profileMessages.noActivity.text}
          </EmptyState>
        </div>
      ) : (
        <>
          <ActivityList
            activities={record.recentActivities.slice(0, visibleActivityCount)}
            timezone={timezone}
            now={now}
          />
          <OlderActivities
            knownActivities={record.recentActivities.slice(visibleActivityCount)}
            hasMore={record.recentActivities.length === maxRecentActivities}
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
    .slice(0, maxOpenCourses)

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

/** The specification defines these defaults for missing fields. */
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

type StreakCardProps = {
  currentDays: number
  longestDays: number
  /** The latest days, oldest first, ending today. */
  days: readonly StudyDay[]
}

/**
 * Shows on how many days in a row the learner studied, and the last two weeks as dots. The dots are
 * hidden from screen readers, because the table of the study chart has the same information.
 */
function StreakCard({ currentDays, longestDays, days }: StreakCardProps) {
  const hasLearnedToday = days.at(-1)?.learned ?? false
  const lastWeek = days.slice(-7)
  const lastTwoWeeks = days.slice(-14)

  return (
    <section aria-labelledby="streak" className="card flex flex-col p-5 sm:p-6">
      <h2 id="streak" className="font-bold text-lg">
        Streak
      </h2>
      <p className="mt-4 flex items-center gap-3">
        <span
          aria-hidden="true"
          className="grid size-12 place-items-center rounded-full bg-warn-soft text-warn"
        >
          <Flame size={24} />
        </span>
        <span className="leading-tight">
          <strong className="block font-bold text-3xl tabular-nums tracking-tight">
            {formatCount(currentDays, 'day', 'days')}
          </strong>
          <span className="text-muted text-sm">in a row</span>
        </span>
      </p>
      <div aria-hidden="true" className="mt-6 grid max-w-80 grid-cols-7 gap-2">
        {lastWeek.map(({ day }) => (
          <span key={day} className="text-center text-muted text-xs">
            {formatWeekday(day).slice(0, 1)}
          </span>
        ))}
        {lastTwoWeeks.map(({ day, learned }) => (
          <StreakDot key={day} isLearned={learned} />
        ))}
      </div>
      <p className="mt-auto pt-5 text-muted text-sm">
        {getStreakAdvice(currentDays, longestDays, hasLearnedToday)}
      </p>
    </section>
  )
}

/** Draws a circle, because forced colors and printing remove background colors. */
function StreakDot({ isLearned }: { isLearned: boolean }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="mx-auto size-6 forced-color-adjust-auto">
      <circle
        cx="12"
        cy="12"
        r="12"
        className={
          isLearned
            ? 'fill-accent forced-colors:fill-[CanvasText]'
            : 'fill-line forced-colors:fill-[Canvas]'
        }
      />
      <circle
        cx="12"
        cy="12"
        r="11"
        fill="none"
        strokeWidth="2"
        className="stroke-transparent forced-colors:stroke-[CanvasText]"
      />
    </svg>
  )
}

function getStreakAdvice(
  currentDays: number,
  longestDays: number,
  hasLearnedToday: boolean,
): string {
  if (longestDays === 0) {
    return profileMessages.streakAdvice.first
  }

  if (currentDays === 0) {
    return profileMessages.streakAdvice.again(longestDays)
  }

  const isLongest = currentDays >= longestDays
  const comparison = isLongest
    ? profileMessages.streakAdvice.longest
    : profileMessages.streakAdvice.record(longestDays)
  return hasLearnedToday ? comparison : `${comparison} ${profileMessages.streakAdvice.keepGoing}`
}

/**
 * Today's practice on the profile. Nothing is displayed while there is nothing to practice.
 *
 * @property day the learner's day, like "2026-11-20"
 */
function PracticeCard({ today, day }: { today: PracticeToday; day: string }) {
  if (!hasPractice(today)) {
    return null
  }

  const { remaining, practiced } = today
  const isDone = remaining === 0

  return (
    <section aria-labelledby="practice" className="card flex flex-col p-5 sm:p-6">
      <div className="flex items-center gap-4">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-full bg-accent-soft text-accent-strong"
        >
          <BrainCircuit size={24} />
        </span>
        <div className="min-w-0">
          <h2 id="practice" className="font-bold text-lg leading-snug">
            {questionsToday(remaining)}
          </h2>
          <p className="text-muted text-sm">
            {isDone ? getDoneText(today, day) : aboutMinutes(practiceMinutes(remaining))}
          </p>
        </div>
      </div>
      {!isDone && (
        <ButtonLink to="/Practice" variant="secondary" className="mt-5 w-full">
          {practiced > 0 ? 'Keep practicing' : 'Practice now'}
        </ButtonLink>
      )}
    </section>
  )
}

function getDoneText({ practiced, nextOn }: PracticeToday, day: string): string {
  const sentences = [
    practiced > 0 && practiceMessages.doneForToday,
    nextOn && nextQuestionText(nextOn, day),
  ]
  return sentences.filter(Boolean).join(' ')
}

/** The texts of practice. */

function questionsToday(count: number): string {
  if (count === 0) {
    return 'Practice'
  }

  return byCount(count, '1 question to practice today', `${count} questions to practice today`)
}

function aboutMinutes(minutes: number): string {
  return byCount(minutes, 'About 1 minute', `About ${minutes} minutes`)
}

/** @param name an element with the learner's name, which keeps its own text direction */
function formatWelcome(name: ReactNode, isReturning: boolean): ReactNode {
  return isReturning ? <>Welcome back, {name}</> : <>Welcome, {name}</>
}

function shortenedNameNotice(link: Linked): ReactNode {
  return <>Your name was too long, so we shortened it. {link('Check it in Settings')}</>
}

function confirmEmailNotice(link: Linked): ReactNode {
  return <>Certificates need a confirmed email address. {link('Confirm your address')}</>
}
