/** The sections of the profile, in the order of its sidebar. The first one has the address /Profile. */
export const profileSections = [
  { id: 'overview', label: 'Overview' },
  { id: 'personal-info', label: 'Personal Info' },
  { id: 'current-courses', label: 'Current Courses' },
  { id: 'exam-scores', label: 'Exam Scores' },
  { id: 'achievements', label: 'Achievements' },
  { id: 'settings', label: 'Settings' },
] as const

export type ProfileSection = (typeof profileSections)[number]
export type ProfileSectionId = ProfileSection['id']

/** @param pathname of a page of the profile. @returns null for a section that does not exist. */
export function findProfileSection(pathname: string): ProfileSection | null {
  const name = pathname.split('/')[2] || 'overview'
  return profileSections.find(({ id }) => id === name) ?? null
}

export function profileSectionPath(id: ProfileSectionId): string {
  return id === 'overview' ? '/Profile' : `/Profile/${id}`
}
