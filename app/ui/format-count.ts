const groupedFormat = new Intl.NumberFormat('en-US')

/** Formats a number like '45,230'. */
export function formatNumber(number: number): string {
  const needsNoFormat = number >= 0 && number < 1000 && Number.isInteger(number)
  return needsNoFormat ? String(number) : groupedFormat.format(number)
}

/**
 * Returns the text that fits a count. Each text is a whole sentence, so that it can be translated.
 */
export function byCount(count: number, one: string, more: string): string {
  return count === 1 ? one : more
}

/**
 * Formats a count that stands alone, like '1 day' or '45,230 students'. For a count inside a
 * sentence, use `byCount`.
 */
export function formatCount(count: number, one: string, more: string): string {
  return `${formatNumber(count)} ${byCount(count, one, more)}`
}

const oneDecimalFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** Formats the size of a file like operating systems do: '640 bytes', '12 KB', '1.5 MB'. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) {
    return bytes === 1 ? '1 byte' : `${bytes} bytes`
  }

  const kilobytes = Math.round(bytes / 1000)
  return kilobytes < 1000 ? `${kilobytes} KB` : `${oneDecimalFormat.format(bytes / 1_000_000)} MB`
}

/** Formats the number and size of downloads: '1 download, 12 KB', '3 downloads, 1.5 MB'. */
export function formatDownloads({ count, bytes }: { count: number; bytes: number }): string {
  return `${formatCount(count, 'download', 'downloads')}, ${formatSize(bytes)}`
}
