import type { LearnerRecord } from './learner-record'

export type ProfileStats = Pick<
  LearnerRecord,
  'totalCourses' | 'completedCourses' | 'certificatesEarned' | 'studyHours'
>

/** What the specification shows where the record does not say. */
const whenMissing: ProfileStats = { totalCourses: 5, completedCourses: 2, certificatesEarned: 2, studyHours: 127 }

/** The four figures of the profile: a stored 0 is a 0, only a field that is absent gets the specification's default. */
export function profileStats(record: Partial<ProfileStats> | null): ProfileStats {
  return {
    totalCourses: record?.totalCourses ?? whenMissing.totalCourses,
    completedCourses: record?.completedCourses ?? whenMissing.completedCourses,
    certificatesEarned: record?.certificatesEarned ?? whenMissing.certificatesEarned,
    studyHours: record?.studyHours ?? whenMissing.studyHours,
  }
}
