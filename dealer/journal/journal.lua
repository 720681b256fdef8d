#!lua name=croupier_journal
-- The journal's functions. They know no rule and hash nothing: they look keys up, compare one number and
-- write. The version stands in every function's name, so a node never calls a function of other arguments.
local VERSION = 3

-- Lua prints large numbers in exponent form; this is how an integer becomes text here.
local function integer(number)
  return string.format('%.0f', number)
end

local function engine_ms()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Sequence number of the last event, -1 for an empty stream. An entry's id is its first sequence + 1, and
-- its fields are the pairs (place within the entry, event).
local function last_of(stream)
  local top = redis.call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
  if not top then return -1 end
  return tonumber(string.match(top[1], '^(%d+)-')) - 2 + #top[2] / 2
end

-- The earliest deadline of an aggregate, and when its oldest open decision was opened; 0 is none. Without
-- `opened`, what stood is kept: too early only keeps a gap longer, too late would lose it. The pulse is written
-- where no deadline stood in the whole partition: nobody had a reason to beat it.
local function set_deadline(due, openings, pulse, aggregate, deadline, opened)
  if deadline == 0 then
    if redis.call('ZREM', due, aggregate) == 1 then redis.call('ZREM', openings, aggregate) end
    return
  end
  local new = redis.call('ZADD', due, integer(deadline), aggregate) == 1
  if new then
    local now = engine_ms()
    if redis.call('ZCARD', due) == 1 then redis.call('SET', pulse, integer(now)) end
    if opened == 0 then opened = now end
  end
  if opened ~= 0 then redis.call('ZADD', openings, integer(opened), aggregate) end
end

-- What lies beside the log; the secrets that are set are the arguments from `at` on. Most appends have none of it.
local function write_beside(keys, more, aggregate, beside, args, at)
  local listed, deleted, people, rounds = unpack(beside)
  if args[at] then redis.call('HSET', keys[more], unpack(args, at)) end
  if #deleted > 0 then redis.call('HDEL', keys[more], unpack(deleted)) end
  for pseudonym, person in pairs(people) do redis.call('HSET', keys[more + 1], pseudonym, person) end
  for round, first in pairs(rounds) do
    redis.call('ZADD', keys[more + 2], 'NX', integer(first), integer(round))
  end
  if listed then redis.call('ZADD', keys[more + 3], 0, aggregate) end
end

-- keys: stream, feed, one record a command; if the deadline is set: due, openings, pulse; if something is
-- written beside the log: secrets, people, rounds, index
-- args: a MessagePack array (`_Head` in wire.py), for each command its record and its events, then the secrets
-- answers {0, last} appended; {1, last, place, record, ...} known; {2, last} the version has moved on
local RECORDS = 2
local function append(keys, args)
  local aggregate, expected, life, counts, deadline, opened, beside = unpack(cmsgpack.unpack(args[1]), 1, 7)
  local stream = keys[1]
  local records = redis.call('MGET', unpack(keys, RECORDS + 1, RECORDS + #counts))
  local last = last_of(stream)

  local known = {1, last}
  for i = 1, #counts do
    if records[i] then
      -- Without a write a repeat would be confirmed although the first append is not yet replicated.
      redis.call('SET', keys[RECORDS + i], records[i], 'KEEPTTL')
      known[#known + 1] = i - 1
      known[#known + 1] = records[i]
    end
  end
  if #known > 2 then return known end
  if last ~= expected then return {2, last} end

  -- The stream goes first: should the engine refuse an id, nothing has been written yet.
  local first, at = last + 1, 2
  for i, count in ipairs(counts) do
    if count > 0 then
      local fields = {}
      for j = 1, count do
        fields[2 * j - 1] = j - 1
        fields[2 * j] = args[at + j]
      end
      redis.call('XADD', stream, integer(last + 2) .. '-0', unpack(fields))
      last = last + count
    end
    redis.call('SET', keys[RECORDS + i], args[at], 'PX', integer(life))
    at = at + count + 1
  end

  local more = RECORDS + #counts + 1
  if deadline >= 0 then
    set_deadline(keys[more], keys[more + 1], keys[more + 2], aggregate, deadline, opened)
    more = more + 3
  end
  if beside then write_beside(keys, more, aggregate, beside, args, at) end

  if last >= first then
    redis.call('XADD', keys[2], 'MAXLEN', '~', 10000, '*', 'log', aggregate, 'first', integer(first),
      'last', integer(last))
  end
  return {0, last}
end

-- keys: due, openings, pulse, gaps
-- args: lease, most aggregates to claim, age from which a pulse is a gap (all ms but the second)
-- answers {next due time or -1, {aggregate, ...}, {from, to, ...}}
local function claim(keys, args)
  local due, openings, pulse, gaps = keys[1], keys[2], keys[3], keys[4]
  local now = engine_ms()
  local oldest = tonumber(redis.call('ZRANGE', openings, 0, 0, 'WITHSCORES')[2])
  local beat = tonumber(redis.call('GET', pulse) or now)
  if oldest and now - beat > tonumber(args[3]) then
    redis.call('RPUSH', gaps, integer(beat) .. ' ' .. integer(now))
  end
  redis.call('SET', pulse, integer(now))

  local stored = {}
  for _, gap in ipairs(redis.call('LRANGE', gaps, 0, -1)) do
    local from, to = string.match(gap, '^(%d+) (%d+)$')
    if oldest and oldest < tonumber(to) then
      stored[#stored + 1] = tonumber(from)
      stored[#stored + 1] = tonumber(to)
    else
      redis.call('LREM', gaps, 1, gap)
    end
  end

  local claimed = redis.call('ZRANGEBYSCORE', due, '-inf', integer(now), 'LIMIT', 0, args[2])
  for _, aggregate in ipairs(claimed) do
    redis.call('ZADD', due, integer(now + tonumber(args[1])), aggregate)
  end
  local next_due = redis.call('ZRANGE', due, 0, 0, 'WITHSCORES')[2]
  return {tonumber(next_due or -1), claimed, stored}
end

-- keys: snapshot
-- args: last sequence it holds, snapshot
-- answers 1 if it is kept, 0 if a later one stands there
local function snap(keys, args)
  local stands = tonumber(redis.call('HGET', keys[1], 'seq') or -1)
  if stands > tonumber(args[1]) then return 0 end
  redis.call('HSET', keys[1], 'seq', args[1], 'blob', args[2])
  return 1
end

redis.register_function('journal_append_' .. VERSION, append)
redis.register_function('journal_claim_' .. VERSION, claim)
redis.register_function('journal_snap_' .. VERSION, snap)
