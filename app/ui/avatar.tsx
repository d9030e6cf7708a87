const sizeClasses = {
  32: 'size-8 text-xs',
  40: 'size-10 text-sm',
  56: 'size-14 text-lg',
  96: 'size-24 text-3xl',
} as const

type AvatarProps = {
  src: string | null
  name: string
  /** The width and height in pixels. */
  size?: keyof typeof sizeClasses
}

/**
 * Shows the picture of a person, or their initials. Screen readers skip it, because the name always
 * stands beside it.
 */
export function Avatar({ src, name, size = 40 }: AvatarProps) {
  const shape = `${sizeClasses[size]} shrink-0 rounded-full`
  if (src) {
    return <img src={src} alt="" width={size} height={size} className={`${shape} object-cover`} />
  }

  return (
    <span
      aria-hidden="true"
      className={`${shape} grid place-items-center bg-accent-soft font-bold text-accent-strong`}
    >
      {getInitials(name)}
    </span>
  )
}

/** Returns the first letters of the first and the last name, or a question mark. */
function getInitials(name: string): string {
  const firstLetters = name.split(/\s+/).flatMap((word) => /\p{L}\p{M}*/u.exec(word)?.[0] ?? [])
  const [first, ...others] = firstLetters
  const initials = [first, others.at(-1)].join('')

  return initials.toLocaleUpperCase('en') || '?'
}
