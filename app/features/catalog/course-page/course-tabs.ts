export const courseTabs = ['overview', 'curriculum', 'instructor', 'reviews'] as const
export type CourseTab = (typeof courseTabs)[number]

export const tabNames: Record<CourseTab, string> = {
  overview: 'Overview',
  curriculum: 'Curriculum',
  instructor: 'Instructor',
  reviews: 'Reviews',
}

/** The tab of `?tab=`; overview when there is none of that name. */
export function parseCourseTab(parameters: URLSearchParams): CourseTab {
  const wanted = parameters.get('tab')
  return courseTabs.find((tab) => tab === wanted) ?? 'overview'
}

export const tabId = (tab: CourseTab) => `tab-${tab}`
/** A link with it as its hash leads to the panel itself, not just to its tab. */
export const panelId = (tab: CourseTab) => `panel-${tab}`

/** Relative to the course's page. */
export function addressOfTab(tab: CourseTab): string {
  return tab === 'overview' ? '.' : `?tab=${tab}`
}

/** Where a key leads from a tab, by the ARIA tab pattern; null when it leads nowhere. */
export function tabForKey(tab: CourseTab, key: string): CourseTab | null {
  const index = courseTabs.indexOf(tab)
  const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1, ' ': index }[key]
  return target === undefined ? null : (courseTabs.at(target % courseTabs.length) ?? null)
}
