/** A person's picture, or their initials. Decorative: the name is shown beside it. */
export function Avatar({
  src,
  name,
  size = 40,
}: {
  src: string | null
  name: string
  size?: 32 | 40 | 56 | 96
}) {
  const box = `${boxes[size]} shrink-0 rounded-full`
  if (src) {
    return <img src={src} alt="" width={size} height={size} className={`${box} object-cover`} />
  }

  return (
    <span
      aria-hidden="true"
      className={`${box} grid place-items-center bg-accent-soft font-bold text-accent-strong`}
    >
      {initials(name)}
    </span>
  )
}

const boxes = {
  32: 'size-8 text-xs',
  40: 'size-10 text-sm',
  56: 'size-14 text-lg',
  96: 'size-24 text-3xl',
} as const

function initials(name: string): string {
  const letters = name.split(/\s+/).flatMap((word) => /\p{L}\p{M}*/u.exec(word)?.[0] ?? [])
  return (
    [...letters.slice(0, 1), ...letters.slice(1).slice(-1)].join('').toLocaleUpperCase('en') || '?'
  )
}
