/**
 * Checks for the page Today what needs attention.
 *
 * Each function checks one thing. It returns null if all is well, or else the problem and what to
 * do about it.
 */
import { statfs } from 'node:fs/promises'
import { env, isLoopback } from '~/server/env.server'
import { lacksMailServer } from '~/server/mail/mail.server'
import type { OutboxFigures } from '~/server/mail/outbox.server'
import { findBackupWarning } from '~/server/operations/backup/last-backup.server'
import { formatCommand } from '~/server/operations/operator-command.server'
import { byCount, formatNumber, formatSize } from '~/ui/format-count'

type Problem = {
  variant: 'bad' | 'warn'
  title: string
  /** Says what to do about it. */
  help: string
  /** The path of the page where it is done, if there is one. */
  path?: string
}

/** @param waitingCount the number of learners who wait for an answer */
export function checkRefundRequests(waitingCount: number): Problem | null {
  if (waitingCount === 0) {
    return null
  }

  return {
    variant: 'warn',
    title: byCount(
      waitingCount,
      '1 learner waits for an answer about a refund',
      `${formatNumber(waitingCount)} learners wait for an answer about a refund`,
    ),
    help: 'Give the money back, or decline with a reason that is mailed to them.',
    path: '/Desk/Orders?state=asked',
  }
}

/** @param reviewCount the number of reviews with open reports */
export function checkReportedReviews(reviewCount: number): Problem | null {
  if (reviewCount === 0) {
    return null
  }

  return {
    variant: 'warn',
    title: byCount(
      reviewCount,
      'Learners reported 1 review',
      `Learners reported ${formatNumber(reviewCount)} reviews`,
    ),
    help: 'Hide reviews that break your rules, with a reason for the author, or keep them.',
    path: '/Desk/Reviews?state=reported',
  }
}

/**
 * Checks that emails arrive. Without them, learners can't confirm an email address or set a new
 * password.
 *
 * @param outboxFigures null if they could not be read
 * @param options `canOpenSite` tells whether the member of staff may open the page with the mail
 *   settings. Tests set `lacksServer`.
 */
export function checkMail(
  outboxFigures: OutboxFigures | null,
  options: { lacksServer?: boolean; canOpenSite?: boolean } = {},
): Problem | null {
  const { lacksServer = lacksMailServer, canOpenSite = false } = options
  const path = canOpenSite ? '/Desk/Site#mail' : undefined
  if (lacksServer) {
    return {
      variant: 'bad',
      title: 'Mail isn’t set up',
      help: 'Learners get no links to confirm their address or to set a new password. Set SMTP_URL; what waits is sent then.',
      path,
    }
  }

  const failedCount = outboxFigures?.failed ?? 0
  if (failedCount === 0) {
    return null
  }

  return {
    variant: 'warn',
    title: byCount(
      failedCount,
      '1 email could not be delivered',
      `${formatNumber(failedCount)} emails could not be delivered`,
    ),
    help: `The mail server’s reasons are shown by: ${formatCommand('mail', 'list')}`,
    path,
  }
}

/**
 * Checks the age of the last backup by the same rule as `/readyz`.
 *
 * @param lastBackupAt null if there is no backup
 * @param isPublic a school that only this machine can reach needs no backup
 */
export function checkBackup(
  lastBackupAt: Date | null,
  now: Date,
  isPublic = !isLoopback,
): Problem | null {
  const warning = findBackupWarning(lastBackupAt, now, isPublic)
  if (!warning) {
    return null
  }

  const lostPart = lastBackupAt === null ? 'Everything' : 'Everything since then'
  return {
    variant: 'bad',
    title: warning,
    help: `${lostPart} would be lost with this machine. Make one: ${formatCommand('backup')}`,
  }
}

/** Checks the disk with the data folder. Returns null if its size is unknown. */
export async function checkDisk(folder = env.DATA_DIR): Promise<Problem | null> {
  const disk = await statfs(folder).catch(() => null)
  if (disk === null) {
    return null
  }

  const freeBytes = disk.bavail * disk.bsize
  const totalBytes = disk.blocks * disk.bsize

  return checkFreeSpace(freeBytes, totalBytes)
}

const minFreeBytes = 2_000_000_000
const minFreeShare = 0.05

/** Checks that the disk has 2 GB and 5 percent left. On a disk below 4 GB, half of it is enough. */
export function checkFreeSpace(freeBytes: number, totalBytes: number): Problem | null {
  const hasFreeBytes = freeBytes >= Math.min(minFreeBytes, totalBytes / 2)
  const hasFreeShare = freeBytes >= totalBytes * minFreeShare
  if (hasFreeBytes && hasFreeShare) {
    return null
  }

  return {
    variant: 'bad',
    title: `The disk has only ${formatSize(freeBytes)} left`,
    help: `When it is full, nothing can be saved any more. See what takes the room: ${formatCommand('disk')}`,
  }
}

/**
 * Checks that buyers can pay, with real money.
 *
 * @param problem why nothing can be paid for or refunded, or null
 * @param options `canOpenSite` tells whether the member of staff may open the page with the
 *   payments
 */
export function checkPayments(
  problem: string | null,
  { isInTestMode = false, isPaused = false, isSetByOperator = false, canOpenSite = false } = {},
): Problem | null {
  const path = canOpenSite ? '/Desk/Site#money' : undefined
  if (problem !== null) {
    return {
      variant: 'bad',
      title: 'Payments don’t work',
      help: isSetByOperator
        ? `${problem} The operator has to replace STRIPE_SECRET_KEY.`
        : `${problem} An owner enters the payments again under Site.`,
      path,
    }
  }

  if (isPaused) {
    return {
      variant: 'warn',
      title: 'Sales are paused',
      help: 'Courses with a price can’t be bought until an owner turns payments on again under Site.',
      path,
    }
  }

  if (!isInTestMode) {
    return null
  }

  return {
    variant: 'warn',
    title: 'Payments are in test mode',
    help: 'Stripe takes no real money, but courses open. To sell, replace the test key and its webhook secret with live ones.',
    path,
  }
}

/** @param problemCount the number of contradictory orders when the figures were last counted */
export function checkOrderProblems(problemCount: number): Problem | null {
  if (problemCount === 0) {
    return null
  }

  return {
    variant: 'bad',
    title: byCount(
      problemCount,
      '1 order contradicts itself',
      `${formatNumber(problemCount)} orders contradict themselves`,
    ),
    help: `Money, receipts or access don’t agree. They are listed by: ${formatCommand('admin', 'orders check')}`,
  }
}
