import { Award, BookOpen, CircleCheckBig, Clock, type LucideIcon } from 'lucide-react'
import { formatNumber } from '~/ui/format-count'
import type { LearnerRecord } from './learner-record'

export type ProfileStats = Pick<
  LearnerRecord,
  'totalCourses' | 'completedCourses' | 'certificatesEarned' | 'studyHours'
>

/** The specification's defaults for missing fields. */
const whenMissing: ProfileStats = {
  totalCourses: 5,
  completedCourses: 2,
  certificatesEarned: 2,
  studyHours: 127,
}

/**
 * The four figures of the profile: a stored 0 is a 0, only a field that is absent gets the
 * specification's default.
 */
export function profileStats(record: Partial<ProfileStats> | null): ProfileStats {
  return {
    totalCourses: record?.totalCourses ?? whenMissing.totalCourses,
    completedCourses: record?.completedCourses ?? whenMissing.completedCourses,
    certificatesEarned: record?.certificatesEarned ?? whenMissing.certificatesEarned,
    studyHours: record?.studyHours ?? whenMissing.studyHours,
  }
}

/** The four figures of the profile. */
export function StatFigures({ stats }: { stats: ProfileStats }) {
  const figures: [label: string, value: number, icon: LucideIcon][] = [
    ['Total Courses', stats.totalCourses, BookOpen],
    ['Completed', stats.completedCourses, CircleCheckBig],
    ['Certificates', stats.certificatesEarned, Award],
    ['Study Hours', stats.studyHours, Clock],
  ]

  return (
    <dl className="card grid grid-cols-2 overflow-hidden xl:grid-cols-4">
      {figures.map(([label, value, Icon]) => (
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
