import { describe, expect, test } from 'vitest'
import { streakSteps } from '~/features/learning/progress/streak'
import {
  type AchievementStatistics,
  achievementDefinitions,
  describeReachedGoal,
  getAchievementStatistics,
  getMilestoneText,
  listReachedGoals,
} from './achievements'

const emptyStatistics: AchievementStatistics = {
  certificates: 0,
  lessonsDone: 0,
  bestExamPercent: null,
  longestStreakDays: 0,
  technologyCoursesCompleted: 0,
  quickestCourseDays: null,
}
const names = [
  'First Certificate',
  'Bookworm',
  'High Achiever',
  'Consistent Learner',
  'Code Master',
  'Fast Learner',
]

function listEarned(statistics: Partial<AchievementStatistics>): string[] {
  return achievementDefinitions
    .filter(({ getProgress }) => {
      const { count, goal } = getProgress({ ...emptyStatistics, ...statistics })
      return count >= goal
    })
    .map(({ name }) => name)
}

describe('achievements', () => {
  test('are those of the specification, in the same order', () => {
    expect(achievementDefinitions.map(({ name }) => name)).toEqual(names)
  })

  test('are not earned without any activity', () => {
    expect(listEarned({})).toEqual([])
  })

  test.each<[string, Partial<AchievementStatistics>, Partial<AchievementStatistics>]>([
    ['First Certificate', { certificates: 1 }, { certificates: 0 }],
    ['Bookworm', { lessonsDone: 50 }, { lessonsDone: 49 }],
    ['High Achiever', { bestExamPercent: 95 }, { bestExamPercent: 94 }],
    ['Consistent Learner', { longestStreakDays: 7 }, { longestStreakDays: 6 }],
    ['Code Master', { technologyCoursesCompleted: 3 }, { technologyCoursesCompleted: 2 }],
    ['Fast Learner', { quickestCourseDays: 7 }, { quickestCourseDays: 8 }],
  ])('%s is earned exactly at its goal', (name, enough, tooLittle) => {
    expect(listEarned(enough)).toEqual([name])
    expect(listEarned(tooLittle)).toEqual([])
  })
})

describe('the goal after an achievement', () => {
  test('is the next higher goal, and finally stays the highest one', () => {
    const further = (name: string, statistics: Partial<AchievementStatistics>) =>
      achievementDefinitions
        .find((definition) => definition.name === name)
        ?.getFurtherProgress({ ...emptyStatistics, ...statistics })

    expect(further('Consistent Learner', { longestStreakDays: 7 })).toMatchObject({
      count: 7,
      goal: 14,
    })
    expect(further('Consistent Learner', { longestStreakDays: 14 })?.text).toBe(
      'Next: 14 of 30 days in a row',
    )
    expect(further('Bookworm', { lessonsDone: 5000 })).toMatchObject({ count: 1000, goal: 1000 })
    expect(further('High Achiever', { bestExamPercent: 96 })).toMatchObject({
      count: 96,
      goal: 100,
    })
    expect(further('Fast Learner', { quickestCourseDays: 1 })).toMatchObject({ count: 1, goal: 1 })
  })
})

describe('a goal beyond an achievement', () => {
  test('is reached exactly at its number, and only the highest of several is celebrated', () => {
    const reached = (statistics: Partial<AchievementStatistics>) =>
      listReachedGoals({ ...emptyStatistics, ...statistics })

    expect(reached({ lessonsDone: 99 })).toEqual([])
    expect(reached({ lessonsDone: 100 })).toEqual([
      { achievementId: 'bookworm', goal: 100, isHighest: true },
    ])
    expect(reached({ certificates: 11, technologyCoursesCompleted: 6 })).toEqual([
      { achievementId: 'first-certificate', goal: 3, isHighest: false },
      { achievementId: 'first-certificate', goal: 5, isHighest: false },
      { achievementId: 'first-certificate', goal: 10, isHighest: true },
      { achievementId: 'code-master', goal: 5, isHighest: true },
    ])
  })

  test('has a text with the next goal, except for the last one', () => {
    expect(describeReachedGoal('bookworm', 100)).toEqual({
      text: '100 lessons finished',
      nextGoal: 250,
    })
    expect(describeReachedGoal('bookworm', 1000)?.nextGoal).toBeNull()
  })

  test('of Consistent Learner is always a step of the streak', () => {
    const [first, ...steps] = streakSteps
    const definition = achievementDefinitions.find(({ id }) => id === 'consistent-learner')
    expect(first).toBe(3)

    for (const days of steps.slice(0, -1)) {
      const statistics = { ...emptyStatistics, longestStreakDays: days }
      const goal = definition?.getFurtherProgress(statistics).goal
      expect(streakSteps).toContain(goal)
      expect(goal).toBeGreaterThan(days)
    }
  })
})

describe('the progress towards an achievement', () => {
  const getProgressText = (name: string, statistics: Partial<AchievementStatistics>) =>
    achievementDefinitions
      .find((definition) => definition.name === name)
      ?.getProgress({ ...emptyStatistics, ...statistics }).text

  test.each<[string, Partial<AchievementStatistics>, string]>([
    ['First Certificate', { certificates: 3 }, '1 of 1 certificate'],
    ['Bookworm', { lessonsDone: 21 }, '21 of 50 lessons'],
    ['High Achiever', {}, 'No exams taken yet'],
    ['High Achiever', { bestExamPercent: 0 }, 'Best exam so far: 0%'],
    ['Consistent Learner', { longestStreakDays: 9 }, '7 of 7 days in a row'],
    ['Code Master', { technologyCoursesCompleted: 1 }, '1 of 3 technology courses'],
    ['Fast Learner', {}, 'No courses completed yet'],
    ['Fast Learner', { quickestCourseDays: 1 }, 'Fastest course so far: 1 day'],
  ])('%s with %o: %s', (name, statistics, text) =>
    expect(getProgressText(name, statistics)).toBe(text),
  )
})

describe('the statistics behind achievements', () => {
  const completed = (category: string, completedAt: string) => ({
    category,
    enrolledAt: '2026-11-01T12:00:00Z',
    completedAt,
  })
  const getStatistics = (completedCourses: ReturnType<typeof completed>[]) =>
    getAchievementStatistics({
      certificates: 1,
      lessonsDone: 2,
      exams: { taken: 1, best: 90, average: 90 },
      completedCourses,
      studyDays: ['2026-11-01', '2026-11-02'],
    } as Parameters<typeof getAchievementStatistics>[0])

  test('count each started day of the quickest course, and only technology courses', () => {
    const courses = [
      completed('technology', '2026-11-04T12:00:01Z'),
      completed('design', '2026-11-03T12:00:00Z'),
      completed('technology', '2026-11-09T00:00:00Z'),
    ]

    expect(getStatistics(courses)).toEqual({
      certificates: 1,
      lessonsDone: 2,
      bestExamPercent: 90,
      longestStreakDays: 2,
      technologyCoursesCompleted: 2,
      quickestCourseDays: 2,
    })
  })

  test('count a course that was completed immediately as one day', () => {
    expect(getStatistics([completed('design', '2026-11-01T12:00:00Z')]).quickestCourseDays).toBe(1)
    expect(getStatistics([]).quickestCourseDays).toBeNull()
  })
})

test.each([
  ['streak:7:2026-11-20', 'Studied 7 days in a row'],
  ['achievement:bookworm', 'Earned the achievement Bookworm'],
  ['goal:bookworm:100', '100 lessons finished'],
  ['goal:first-certificate:3', '3 certificates earned'],
])('%s has the text “%s”, whatever was stored', (id, text) => {
  expect(getMilestoneText(id)).toBe(text)
})

test.each(['lesson:python:names', 'achievement:gone', 'goal:gone:3', ''])(
  '“%s” keeps its stored text',
  (id) => {
    expect(getMilestoneText(id)).toBeNull()
  },
)
