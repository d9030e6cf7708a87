import { speeds } from '../../lesson-settings'

export type VideoCommand =
  | 'toggle-play'
  | 'back-10'
  | 'forward-10'
  | 'back-5'
  | 'forward-5'
  | 'louder'
  | 'quieter'
  | 'toggle-mute'
  | 'toggle-captions'
  | 'toggle-full-screen'
  | 'slower'
  | 'faster'
  | 'show-shortcuts'

type VideoKey = {
  /** The names of the keys, as the list of shortcuts displays them. */
  keys: readonly string[]
  command: VideoCommand
  meaning: string
}

/** Every key of the player, in the order of the list of shortcuts. */
export const videoKeys: readonly VideoKey[] = [
  { keys: ['Space', 'K'], command: 'toggle-play', meaning: 'Play or pause' },
  { keys: ['J'], command: 'back-10', meaning: 'Back 10 seconds' },
  { keys: ['L'], command: 'forward-10', meaning: 'Forward 10 seconds' },
  { keys: ['←'], command: 'back-5', meaning: 'Back 5 seconds' },
  { keys: ['→'], command: 'forward-5', meaning: 'Forward 5 seconds' },
  { keys: ['↑'], command: 'louder', meaning: 'Volume up, in the player' },
  { keys: ['↓'], command: 'quieter', meaning: 'Volume down, in the player' },
  { keys: ['M'], command: 'toggle-mute', meaning: 'Mute or unmute' },
  { keys: ['C'], command: 'toggle-captions', meaning: 'Captions on or off' },
  { keys: ['F'], command: 'toggle-full-screen', meaning: 'Full screen on or off' },
  { keys: ['<'], command: 'slower', meaning: 'Slower' },
  { keys: ['>'], command: 'faster', meaning: 'Faster' },
  { keys: ['?'], command: 'show-shortcuts', meaning: 'Show these shortcuts' },
]

/** The names in `videoKeys` of the keys that have another one in keyboard events. */
const displayedKeyNames: Record<string, string> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns null for keys that the player doesn't use, and for the browser's own shortcuts. */
export function findVideoCommand(keyPress: KeyPress): VideoCommand | null {
  const { key, code, ctrlKey, metaKey, altKey } = keyPress
  if (ctrlKey || metaKey || altKey) {
    return null
  }

  const keyName = displayedKeyNames[key] ?? findLatinLetter(key, code) ?? key.toUpperCase()
  const videoKey = videoKeys.find(({ keys }) => keys.includes(keyName))
  return videoKey?.command ?? null
}

/** What browsers report as the key while an input method processes it. */
const inputMethodKeys = ['Process', 'Unidentified']

/**
 * Returns the Latin letter at the position of the key, if the keyboard writes another script or an
 * input method processes the key.
 */
function findLatinLetter(key: string, code: string): string | undefined {
  const isOfOtherScript = /^(?!\p{Script=Latin})\p{L}/u.test(key)
  if (!isOfOtherScript && !inputMethodKeys.includes(key)) {
    return undefined
  }

  return code.match(/^Key([A-Z])$/)?.[1]
}

/** The kind of element that has the focus. Some elements use certain keys themselves. */
export type FocusedElement = 'text' | 'slider' | 'select' | 'button' | 'other'

/**
 * Returns whether the player may handle a key. Text fields use every key, buttons the space bar,
 * sliders the arrows, and selects both. Outside of the player, the vertical arrows scroll the page.
 */
export function canPlayerUseKey(
  key: string,
  focusedElement: FocusedElement,
  isInPlayer: boolean,
): boolean {
  const isArrow = key.startsWith('Arrow')
  const isSpace = key === ' '
  const isUsedByElement =
    focusedElement === 'text' ||
    (isArrow && (focusedElement === 'slider' || focusedElement === 'select')) ||
    (isSpace && (focusedElement === 'button' || focusedElement === 'select'))
  if (isUsedByElement) {
    return false
  }

  const scrollsPage = key === 'ArrowUp' || key === 'ArrowDown'
  return isInPlayer || !scrollsPage
}

/** Returns the next slower (-1) or faster (1) speed. At the ends, the speed stays. */
export function stepSpeed(speed: number, direction: 1 | -1): number {
  const index = speeds.findIndex((offeredSpeed) => offeredSpeed >= speed)
  const nextIndex = Math.min(Math.max(index + direction, 0), speeds.length - 1)
  return speeds[nextIndex] ?? speed
}
