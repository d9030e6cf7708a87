export type SectionScore = { title: string; right: number; total: number }

type Placed = { verdict: 'right' | 'wrong' | 'unanswered'; section: string | null }

/**
 * How an attempt went in each section of its course.
 *
 * @param titles of the course's sections, in their order.
 * @returns nothing if a question belongs to no section, or all to one: that would tell too little.
 */
export function sectionScores(questions: readonly Placed[], titles: readonly string[]): SectionScore[] {
  if (questions.some(({ section }) => section === null)) return []
  const scores = titles.map((title) => {
    const asked = questions.filter(({ section }) => section === title)
    return { title, right: asked.filter(({ verdict }) => verdict === 'right').length, total: asked.length }
  })
  const asked = scores.filter(({ total }) => total > 0)
  return asked.length > 1 ? asked : []
}
