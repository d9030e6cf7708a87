/** A wrong first answer gets a second try; only then is the solution shown. */
const triesBeforeSolution = 2

/**
 * One run at a question: each try in order, right or wrong, and whether the learner asked for the
 * solution.
 */
export type QuestionRun = {
  tries: readonly boolean[]
  solutionAsked: boolean
  /** The texts of the chosen options. */
  chosen: readonly string[]
  /** Whether the choice is that of the last try; the learner may have changed it since. */
  judged: boolean
}

export const newRun: QuestionRun = { tries: [], solutionAsked: false, chosen: [], judged: false }

export type RunStage = 'open' | 'second-try' | 'right' | 'solution'

export function getRunStage({ tries, solutionAsked }: QuestionRun): RunStage {
  if (tries.includes(true)) {
    return 'right'
  }

  if (solutionAsked || tries.length >= triesBeforeSolution) {
    return 'solution'
  }

  return tries.length === 0 ? 'open' : 'second-try'
}

export const isOver = (stage: RunStage) => stage === 'right' || stage === 'solution'

/** Another choice clears the marks; once the question is over, it starts a new run. */
export function chooseOption(run: QuestionRun, option: string, several: boolean): QuestionRun {
  const { chosen, ...begun } = isOver(getRunStage(run)) ? newRun : run
  if (!several) {
    return { ...begun, chosen: [option], judged: false }
  }

  const others = chosen.filter((text) => text !== option)

  return { ...begun, chosen: chosen.includes(option) ? others : [...others, option], judged: false }
}

type QuizOption = { text: string; correct: boolean }

/** Right means every correct option and no other. */
export function isRightChoice(options: readonly QuizOption[], chosen: readonly string[]): boolean {
  return options.every(({ correct, text }) => correct === chosen.includes(text))
}

export type Verdict = 'right' | 'wrong' | null

/**
 * The mark of an option. Before the second try only a wrong single choice is marked: more would
 * give the answer away.
 */
export function getVerdict(
  stage: RunStage,
  { correct, chosen, several }: { correct: boolean; chosen: boolean; several: boolean },
): Verdict {
  const wrong = chosen && !correct ? 'wrong' : null
  if (stage === 'open') {
    return null
  }

  if (stage === 'second-try') {
    return several ? null : wrong
  }

  return correct ? 'right' : wrong
}

type QuizScore = { right: number; onSecondTry: number; tried: number }

/** `right` includes those on the second try. A solution that was asked for is no try. */
export function quizScore(runs: readonly QuestionRun[]): QuizScore {
  const tried = runs.filter(({ tries }) => tries.length > 0)
  const right = tried.filter((run) => getRunStage(run) === 'right')

  return {
    right: right.length,
    onSecondTry: right.filter(({ tries }) => !tries[0]).length,
    tried: tried.length,
  }
}
