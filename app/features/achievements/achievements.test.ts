import { describe, expect, test } from 'vitest'
import { streakSteps } from '~/features/learning/progress/study-time'
import {
  type AchievementFacts,
  achievementDefinitions,
  achievementFactsOf,
  furtherGoalsReached,
  furtherGoalWords,
  milestoneText,
} from './achievements'

const nothing: AchievementFacts = {
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

describe('what comes after an achievement', () => {
  test('is the next higher goal, and after the last one no more', () => {
    const further = (name: string, facts: Partial<AchievementFacts>) =>
      achievementDefinitions
        .find((definition) => definition.name === name)
        ?.further({ ...nothing, ...facts })
    expect(further('Consistent Learner', { longestStreakDays: 7 })).toMatchObject({
      now: 7,
      goal: 14,
    })
    expect(further('Consistent Learner', { longestStreakDays: 14 })?.text).toBe(
      'Next: 14 of 30 days in a row',
    )
    expect(further('Bookworm', { lessonsDone: 5000 })).toMatchObject({ now: 1000, goal: 1000 })
    expect(further('High Achiever', { bestExamPercent: 96 })).toMatchObject({ now: 96, goal: 100 })
    expect(further('Fast Learner', { quickestCourseDays: 1 })).toMatchObject({ now: 1, goal: 1 })
  })
})

describe('a goal beyond an achievement', () => {
  test('is reached at its number, and a step over several celebrates the highest of them', () => {
    const reached = (facts: Partial<AchievementFacts>) =>
      furtherGoalsReached({ ...nothing, ...facts })
    expect(reached({ lessonsDone: 99 })).toEqual([])
    expect(reached({ lessonsDone: 100 })).toEqual([{ id: 'bookworm', goal: 100, highest: true }])
    expect(reached({ certificates: 11, technologyCoursesCompleted: 6 })).toEqual([
      { id: 'first-certificate', goal: 3, highest: false },
      { id: 'first-certificate', goal: 5, highest: false },
      { id: 'first-certificate', goal: 10, highest: true },
      { id: 'code-master', goal: 5, highest: true },
    ])
  })

  test('says what comes after it, and after the last one nothing', () => {
    expect(furtherGoalWords('bookworm', 100)).toEqual({
      reached: '100 lessons finished',
      next: 250,
    })
    expect(furtherGoalWords('bookworm', 1000)?.next).toBeNull()
  })

  test('of Consistent Learner is a step of the streak, so that both have one list', () => {
    const [first, ...steps] = streakSteps
    const further = achievementDefinitions.find(({ id }) => id === 'consistent-learner')?.further
    expect(first).toBe(3)
    for (const days of steps.slice(0, -1)) {
      const goal = further?.({ ...nothing, longestStreakDays: days }).goal
      expect(streakSteps).toContain(goal)
      expect(goal).toBeGreaterThan(days)
    }
  })
})

describe('how far a learner is', () => {
  const textOf = (name: string, facts: Partial<AchievementFacts>) =>
    achievementDefinitions
      .find((definition) => definition.name === name)
      ?.progress({ ...nothing, ...facts }).text

  test.each<[string, Partial<AchievementFacts>, string]>([
    ['First Certificate', { certificates: 3 }, '1 of 1 certificate'],
    ['Bookworm', { lessonsDone: 21 }, '21 of 50 lessons'],
    ['High Achiever', {}, 'No exams taken yet'],
    ['High Achiever', { bestExamPercent: 0 }, 'Best exam so far: 0%'],
    ['Consistent Learner', { longestStreakDays: 9 }, '7 of 7 days in a row'],
    ['Code Master', { technologyCoursesCompleted: 1 }, '1 of 3 technology courses'],
    ['Fast Learner', {}, 'No courses completed yet'],
    ['Fast Learner', { quickestCourseDays: 1 }, 'Fastest course so far: 1 day'],
  ])('%s with %o: %s', (name, facts, text) => expect(textOf(name, facts)).toBe(text))
})

describe('the facts behind achievements', () => {
  const completed = (category: string, completedAt: string) => ({
    category,
    enrolledAt: '2026-11-01T12:00:00Z',
    completedAt,
  })
  const factsOf = (completedCourses: ReturnType<typeof completed>[]) =>
    achievementFactsOf({
      certificates: 1,
      lessonsDone: 2,
      exams: { taken: 1, best: 90, average: 90 },
      completedCourses,
      studyDays: ['2026-11-01', '2026-11-02'],
    } as Parameters<typeof achievementFactsOf>[0])

  test('count begun days of the quickest course, and technology courses only', () => {
    const courses = [
      completed('technology', '2026-11-04T12:00:01Z'),
      completed('design', '2026-11-03T12:00:00Z'),
      completed('technology', '2026-11-09T00:00:00Z'),
    ]

    expect(factsOf(courses)).toEqual({
      certificates: 1,
      lessonsDone: 2,
      bestExamPercent: 90,
      longestStreakDays: 2,
      technologyCoursesCompleted: 2,
      quickestCourseDays: 2,
    })
  })

  test('count a course that was completed at once as one day, and none as no day', () => {
    expect(factsOf([completed('design', '2026-11-01T12:00:00Z')]).quickestCourseDays).toBe(1)
    expect(factsOf([]).quickestCourseDays).toBeNull()
  })
})

test.each([
  ['streak:7:2026-11-20', 'Studied 7 days in a row'],
  ['achievement:bookworm', 'Earned the achievement Bookworm'],
  ['goal:bookworm:100', '100 lessons finished'],
  ['goal:first-certificate:3', '3 certificates earned'],
])('%s is told as “%s”, whatever was stored', (id, text) => {
  expect(milestoneText(id)).toBe(text)
})

test.each(['lesson:python:names', 'achievement:gone', 'goal:gone:3', ''])(
  '“%s” keeps the sentence of its time',
  (id) => {
    expect(milestoneText(id)).toBeNull()
  },
)
