import { describe, expect, test } from 'vitest'
import { type AchievementFacts, achievementDefinitions } from './achievements'

const nothing: AchievementFacts = {
  certificates: 0,
  lessonsDone: 0,
  bestExamPercent: null,
  longestStreakDays: 0,
  technologyCoursesCompleted: 0,
  quickestCourseDays: null,
}
const names = ['First Certificate', 'Bookworm', 'High Achiever', 'Consistent Learner', 'Code Master', 'Fast Learner']

function earned(facts: Partial<AchievementFacts>): string[] {
  return achievementDefinitions
    .filter(({ progress }) => {
      const { now, goal } = progress({ ...nothing, ...facts })
      return now >= goal
    })
    .map(({ name }) => name)
}

describe('achievements', () => {
  test('are the six of the specification, in its order', () => {
    expect(achievementDefinitions.map(({ name }) => name)).toEqual(names)
  })

  test('none is earned by doing nothing', () => {
    expect(earned({})).toEqual([])
  })

  test.each<[string, Partial<AchievementFacts>, Partial<AchievementFacts>]>([
    ['First Certificate', { certificates: 1 }, { certificates: 0 }],
    ['Bookworm', { lessonsDone: 50 }, { lessonsDone: 49 }],
    ['High Achiever', { bestExamPercent: 95 }, { bestExamPercent: 94 }],
    ['Consistent Learner', { longestStreakDays: 7 }, { longestStreakDays: 6 }],
    ['Code Master', { technologyCoursesCompleted: 3 }, { technologyCoursesCompleted: 2 }],
    ['Fast Learner', { quickestCourseDays: 7 }, { quickestCourseDays: 8 }],
  ])('%s is earned at its limit and not before', (name, enough, tooLittle) => {
    expect(earned(enough)).toEqual([name])
    expect(earned(tooLittle)).toEqual([])
  })
})
