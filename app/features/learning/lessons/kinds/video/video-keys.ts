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

/** Every key of the player, in the order of its list. */
export const videoKeys: readonly {
  keys: readonly string[]
  command: VideoCommand
  meaning: string
}[] = [
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

const names: Record<string, string> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
}

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>

/**
 * @returns the player's action for a key press; null for other keys, and for the browser's own
 * combinations.
 */
export function findVideoCommand({
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
}: Press): VideoCommand | null {
  if (ctrlKey || metaKey || altKey) {
    return null
  }

  const name = names[key] ?? latinLetter(key, code) ?? key.toUpperCase()
  return videoKeys.find(({ keys }) => keys.includes(name))?.command ?? null
}

/**
 * The letter at the key's place where the keyboard writes another script, or an input method takes
 * the key.
 */
function latinLetter(key: string, code: string): string | undefined {
  const hasOwnLetter =
    key !== 'Process' && key !== 'Unidentified' && !/^(?!\p{Script=Latin})\p{L}/u.test(key)
  return hasOwnLetter ? undefined : code.match(/^Key([A-Z])$/)?.[1]
}

/** The kind of element that has the focus: some use certain keys themselves. */
export type KeyTarget = 'text' | 'slider' | 'select' | 'button' | 'other'

/**
 * Whether the player may take a key from where the focus is. Text takes every key, a button the
 * space bar, a slider the arrows, a list to choose from both; outside of the player the up and down
 * arrows scroll.
 */
export function playerTakesKey(key: string, target: KeyTarget, inPlayer: boolean): boolean {
  const arrow = key.startsWith('Arrow')
  if (target === 'text') {
    return false
  }

  if (arrow && (target === 'slider' || target === 'select')) {
    return false
  }

  if (key === ' ' && (target === 'button' || target === 'select')) {
    return false
  }

  return inPlayer || (key !== 'ArrowUp' && key !== 'ArrowDown')
}

/** The next speed up or down; the ends stay. */
export function stepSpeed(speed: number, direction: 1 | -1): number {
  const index = speeds.findIndex((offered) => offered >= speed)
  return speeds[Math.min(speeds.length - 1, Math.max(0, index + direction))] ?? 1
}
