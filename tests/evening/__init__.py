"""The evening that shows croupier's frame: people, bots and hosts around one table, over the API alone.

Four people and two bots play a whole shoe. They cut it, bank one after the other, one of them does not reveal
and later drops out, two hosts void a coup, and the service is killed twice. Afterwards each shoe is verified
and every coup read back, by the programs that anybody may run.
"""
