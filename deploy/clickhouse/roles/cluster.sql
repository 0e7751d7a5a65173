-- For a cluster. Run it after the other files. Run each file with ON CLUSTER or on every node
-- (or once, if the servers keep their users in Keeper: user_directories, replicated).

-- Statements ON CLUSTER, and waiting for replicas.
GRANT CLUSTER ON *.* TO netpanel_metadata;
GRANT CLUSTER ON *.* TO netpanel_migrate;
GRANT SYSTEM SYNC REPLICA ON netpanel.* TO netpanel_metadata;
GRANT SYSTEM SYNC REPLICA ON netpanel.* TO netpanel_migrate;
-- clusterAllReplicas(), which reads the dictionary of every node. remote() needs the same grant, so the query
-- role does not have it.
GRANT REMOTE ON *.* TO netpanel_metadata;
-- The expected number of nodes.
GRANT SELECT ON system.clusters TO netpanel_metadata;
GRANT SELECT ON system.clusters TO netpanel_query;
-- Creating a Distributed table needs REMOTE.
GRANT REMOTE ON *.* TO netpanel_migrate;
-- Replication lag of the node, an optional detail of /readyz.
GRANT SELECT ON system.replicas TO netpanel_query;
GRANT SELECT ON system.replicas TO netpanel_metadata;
