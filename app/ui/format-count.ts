const grouped = new Intl.NumberFormat('en-US')

/** Like '45,230'. */
export function formatNumber(number: number): string {
  return number >= 0 && number < 1000 && Number.isInteger(number)
    ? String(number)
    : grouped.format(number)
}

/**
 * The form that fits a count, each a whole sentence: nothing is put together, so that all can be
 * translated.
 */
export function byCount(count: number, one: string, more: string): string {
  return count === 1 ? one : more
}

/**
 * A figure that stands alone: '1 day' or '45,230 students'. A sentence with a count is chosen by
 * `byCount`.
 */
export function formatCount(count: number, one: string, more: string): string {
  return `${formatNumber(count)} ${byCount(count, one, more)}`
}

const digits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** A file's size as systems tell it: '640 bytes', '12 KB', '1.5 MB'. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) {
    return bytes === 1 ? '1 byte' : `${bytes} bytes`
  }

  const kilobytes = Math.round(bytes / 1000)
  return kilobytes < 1000 ? `${kilobytes} KB` : `${digits.format(bytes / 1_000_000)} MB`
}

/** Number and size of downloads: '1 download, 12 KB', '3 downloads, 1.5 MB'. */
export function formatDownloads({ count, bytes }: { count: number; bytes: number }): string {
  return `${formatCount(count, 'download', 'downloads')}, ${formatSize(bytes)}`
}
