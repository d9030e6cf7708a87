/**
 * The rules of answering one question of a quiz. A wrong first try is followed by a second try. The
 * solution is displayed after the second try, or as soon as the learner asks for it.
 */

const triesBeforeSolution = 2

/**
 * One pass through a question, from the first try to the right answer or the solution. It is stored
 * in the browser, so its fields must not change.
 */
export type QuestionRun = {
  /** Whether each try was right, in order. */
  tries: readonly boolean[]
  /** Whether the learner asked for the solution. */
  solutionAsked: boolean
  /** The texts of the chosen options. */
  chosen: readonly string[]
  /** Whether `chosen` is the choice of the last try. The learner may have changed it since. */
  judged: boolean
}

export const newRun: QuestionRun = { tries: [], solutionAsked: false, chosen: [], judged: false }

/** How far a run has come. `solution` means that the run ended without a right answer. */
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

export function isRunFinished(stage: RunStage): boolean {
  return stage === 'right' || stage === 'solution'
}

/**
 * Returns the run after an option was chosen or, in a multiple choice, chosen or deselected. After
 * a finished run, the choice starts a new one.
 */
export function chooseOption(
  run: QuestionRun,
  option: string,
  isMultipleChoice: boolean,
): QuestionRun {
  const continuedRun = isRunFinished(getRunStage(run)) ? newRun : run
  return {
    ...continuedRun,
    chosen: isMultipleChoice ? toggleOption(continuedRun.chosen, option) : [option],
    judged: false,
  }
}

function toggleOption(chosen: readonly string[], option: string): string[] {
  return chosen.includes(option) ? chosen.filter((text) => text !== option) : [...chosen, option]
}

type QuizOption = { text: string; correct: boolean }

/** Returns whether every correct option was chosen, and no other. */
export function isRightChoice(options: readonly QuizOption[], chosen: readonly string[]): boolean {
  return options.every(({ correct, text }) => correct === chosen.includes(text))
}

export type OptionVerdict = 'right' | 'wrong' | null

type JudgedOption = { isCorrect: boolean; isChosen: boolean; isMultipleChoice: boolean }

/**
 * Returns how an option is marked. Before the second try, only the wrong option of a single choice
 * is marked, because more would reveal the answer.
 */
export function getOptionVerdict(
  stage: RunStage,
  { isCorrect, isChosen, isMultipleChoice }: JudgedOption,
): OptionVerdict {
  const verdictIfWrong = isChosen && !isCorrect ? 'wrong' : null
  switch (stage) {
    case 'open':
      return null
    case 'second-try':
      return isMultipleChoice ? null : verdictIfWrong
    default:
      return isCorrect ? 'right' : verdictIfWrong
  }
}

export type QuizScore = {
  /** How many questions were answered right, on the first or second try. */
  rightCount: number
  /** How many of them were answered right on the second try. */
  secondTryCount: number
  /** How many questions were tried. Asking for the solution is not a try. */
  triedCount: number
}

export function getQuizScore(runs: readonly QuestionRun[]): QuizScore {
  const triedRuns = runs.filter(({ tries }) => tries.length > 0)
  const rightRuns = triedRuns.filter((run) => getRunStage(run) === 'right')
  const secondTryRuns = rightRuns.filter(({ tries }) => tries[0] === false)

  return {
    rightCount: rightRuns.length,
    secondTryCount: secondTryRuns.length,
    triedCount: triedRuns.length,
  }
}
